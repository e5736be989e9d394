import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBetLimit, deleteBetLimit } from '#contract/bet-limits.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { cancelSlip } from '#contract/slips.ts';
import { buildDice, type Dice, endPhase, everyDice, faces, someOf } from '#server/testing/build-dice.ts';
import { buildBettors, recordResult } from '#server/testing/build-slips.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { correctResult } from '#server/testing/settled-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from './settle.ts';
import { beginUnvoid, beginVoid } from './voids.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(async () => {
  await expectProven(server.db);
  await server.close();
});

const limit = async (input: Parameters<typeof addBetLimit.input.parse>[0] & object): Promise<number> => {
  const { data, msg } = (await admin.call(addBetLimit, input)).envelope;
  if (typeof data !== 'number') throw new Error(String(msg));
  return data;
};

interface Line {
  readonly playWayId: number;
  readonly selection: string;
  readonly unitStake: string;
}
async function place({ gameId, phase }: Dice, userId: number, lines: Line[]) {
  const { data, msg } = (await site.call(placeBet, { gameId, phase, userId, bizNo: randomUUID(), lines }))
    .envelope;
  if (!data) throw new Error(String(msg));
  return { slipId: data.slipId, most: data.lines.map(({ maxPayout }) => maxPayout) };
}
/** Payouts of slips, and of each of their lines. */
const paidOf = async (slips: readonly number[]): Promise<string[]> => {
  const { rows } = await sql<{ paid: string }>`
    select s.payout || ': ' || string_agg(l.payout::text, ' ' order by l.id) as paid
    from slip s join slip_line l on l."slipId" = s.id where s.id = any(${[...slips]}::bigint[]) group by s.id order by s.id`.execute(
    server.db,
  );
  return rows.map(({ paid }) => paid);
};
const correct = (recordId: number, oldResult: string, newResult: string) =>
  correctResult(server.db, recordId, oldResult, newResult);
const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };

it('cuts units, lines, slips and players, from small to large, as the slip was told when it was placed', async () => {
  const dice = await buildDice(server.db);
  const { gameId, playWays } = dice;
  const id = await limit({ gameId, payoutCapLine: '50', payoutCapSlip: '60', payoutCapUser: '100' });
  const ofFaces = await limit({ playWayId: playWays.face, payoutCapUnit: '19.05' });
  const [user = 0, other = 0] = await buildBettors(server.db, 2);
  const lines = [
    { playWayId: playWays.face, selection: '1,2,3', unitStake: '10' },
    { playWayId: playWays.face, selection: '1', unitStake: '1' },
    { playWayId: playWays.straight, selection: '1|2|3', unitStake: '1' },
  ];
  const first = await place(dice, user, lines);
  // Of the first line 19 + 19.05 + 19.05, cut to 50; 180 of the last, cut to 50.
  expect(first.most).toEqual(['50.00', '1.90', '50.00']);
  const small = await place(dice, other, [{ playWayId: playWays.face, selection: '1,2', unitStake: '10' }]);
  expect(small.most).toEqual(['38.05']);
  // A slip that is taken back uses up nothing of what its player may be paid.
  const taken = await place(dice, user, lines);
  await admin.call(cancelSlip, { id: taken.slipId, reason: '用户要求撤单' });
  const second = await place(dice, user, lines);
  const third = await place(dice, user, lines);
  // What is set from now on is for slips from now on.
  for (const each of [id, ofFaces]) await admin.call(deleteBetLimit, { id: each });
  await endPhase(server.db, dice);
  const record = await recordResult(server.db, dice, '1,2,3');
  await settleDue(server.db);
  const slips = [first.slipId, small.slipId, second.slipId, third.slipId];
  const paid = ['60.00: 50.00 1.90 8.10', '38.05: 38.05', '40.00: 40.00 0.00 0.00', '0.00: 0.00 0.00 0.00'];
  expect(await paidOf(slips)).toEqual(paid);
  await correct(record, '1,2,3', '1,1,4');
  await settleDue(server.db);
  expect(await paidOf(slips)).toEqual([
    ...['20.90: 19.00 1.90 0.00', '19.00: 19.00'],
    ...['20.90: 19.00 1.90 0.00', '20.90: 19.00 1.90 0.00'],
  ]);
  await correct(record, '1,1,4', '1,2,3');
  await settleDue(server.db);
  expect(await paidOf(slips)).toEqual(paid);
  // What a void leaves room for goes to those who come next, and comes back.
  const voided = await server.db
    .transaction()
    .execute((tx) => beginVoid(tx, { gameId, phase: dice.phase, playWayId: playWays.straight }, act));
  await settleDue(server.db);
  expect(await paidOf(slips)).toEqual([
    ...['51.90: 50.00 1.90 0.00', '38.05: 38.05'],
    ...['48.10: 48.10 0.00 0.00', '0.00: 0.00 0.00 0.00'],
  ]);
  await server.db.transaction().execute((tx) => beginUnvoid(tx, voided.id, act));
  await settleDue(server.db);
  expect(await paidOf(slips)).toEqual(paid);
  expect(await proveBets(server.db)).toMatchObject({ broken: 0 });
});

it('the cap of a play way’s own is apart from that of its game, and both are told when a slip is placed', async () => {
  const dice = await buildDice(server.db);
  const { gameId, playWays } = dice;
  await limit({ gameId, payoutCapSlip: '30', payoutCapUser: '50' });
  await limit({ playWayId: playWays.face, payoutCapSlip: '20' });
  await limit({ playWayId: playWays.straight, payoutCapUser: '25' });
  const [user = 0] = await buildBettors(server.db, 1);
  const { slipId, most } = await place(dice, user, [
    { playWayId: playWays.face, selection: '3', unitStake: '20' },
    { playWayId: playWays.dragon, selection: '龙', unitStake: '15' },
    { playWayId: playWays.straight, selection: '1|1|1', unitStake: '1' },
  ]);
  expect(most).toEqual(['20.00', '29.70', '25.00']);
  await endPhase(server.db, dice);
  await recordResult(server.db, dice, '3,1,5');
  await settleDue(server.db);
  expect(await paidOf([slipId])).toEqual(['49.70: 20.00 29.70 0.00']);
});

it('a slip that cannot be judged takes nothing of what its player may be paid', async () => {
  const dice = await buildDice(server.db);
  const { gameId, playWays } = dice;
  await limit({ gameId, payoutCapUser: '20' });
  const [user = 0] = await buildBettors(server.db, 1);
  const face = { playWayId: playWays.face, selection: '1', unitStake: '10' };
  const broken = { playWayId: playWays.pair, selection: '1,2', unitStake: '10' };
  const slips = [(await place(dice, user, [face, broken])).slipId, (await place(dice, user, [face])).slipId];
  await sql`alter table slip_rules disable trigger user`.execute(server.database.owner);
  await sql`grant all on slip_rules to current_user`.execute(server.database.owner);
  await sql`update slip_rules set rules = jsonb_set(rules, '{handler}', '"GoneHandler"') where "playWayId" = ${playWays.pair}`.execute(
    server.database.owner,
  );
  await endPhase(server.db, dice);
  await recordResult(server.db, dice, '1,3,5');
  await settleDue(server.db);
  expect(await paidOf(slips)).toEqual(['0.00: 0.00 0.00', '19.00: 19.00']);
});

it('comes to the same by any way, as the proof says, which works it out by itself', async () => {
  const dice = await buildDice(server.db);
  const { gameId, playWays } = dice;
  await limit({
    gameId,
    payoutCapUnit: '30.5',
    payoutCapLine: '40',
    payoutCapSlip: '55',
    payoutCapUser: '90.1234',
  });
  await limit({ playWayId: playWays.sum, payoutCapSlip: '45', payoutCapUser: '70' });
  const users = await buildBettors(server.db, 3);
  const line = fc
    .oneof(
      fc.tuple(fc.constant(playWays.size), someOf(['大', '小'])),
      fc.tuple(fc.constant(playWays.sum), someOf(['7', '8', '10', '11', '12', '13', '14'])),
      fc.tuple(fc.constant(playWays.face), someOf(faces)),
      fc.tuple(fc.constant(playWays.pair), someOf(faces, 2)),
    )
    .chain(([playWayId, selection]) =>
      fc
        .integer({ min: 10_000, max: 400_000 })
        .map((stake) => ({ playWayId, selection, unitStake: String(stake / 10_000) })),
    );
  const wanted = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), { seed: randomSeed, numRuns: 24 });
  const slips: number[] = [];
  for (const [index, lines] of wanted.entries())
    slips.push((await place(dice, users[index % users.length] ?? 0, lines)).slipId);
  const results = fc.sample(fc.constantFrom(...everyDice), { seed: randomSeed, numRuns: 3 });
  const [result = ''] = results;
  await endPhase(server.db, dice);
  const record = await recordResult(server.db, dice, result);
  await settleDue(server.db);
  const first = await paidOf(slips);
  let standing = result;
  for (const next of [...results.slice(1), result]) {
    if (next === standing) continue;
    await correct(record, standing, next);
    await settleDue(server.db);
    standing = next;
    const { rows } = await sql<{ most: string }>`
      select coalesce(max(paid), 0) as most from (select sum(l.payout) as paid from slip s join slip_line l on l."slipId" = s.id
        where s."gameId" = ${gameId} and l."playWayId" <> ${playWays.sum} group by "userId") as each`.execute(
      server.db,
    );
    expect(Number(rows[0]?.most), `seed ${randomSeed}`).toBeLessThanOrEqual(90.1234);
    expect(await proveBets(server.db), `seed ${randomSeed}`).toMatchObject({ broken: 0, breaks: [] });
  }
  expect(await paidOf(slips)).toEqual(first);
  const { rows: over } = await sql`
    select l.id, l.payout, l."maxPayout" from slip s join slip_line l on l."slipId" = s.id
    where s."gameId" = ${gameId} and l.payout > l."maxPayout"`.execute(server.db);
  expect(over).toEqual([]);
  // Whoever pays a cent too much is found.
  await sql`alter table slip_rules disable trigger user`.execute(server.database.owner);
  await sql`grant all on slip_rules to current_user`.execute(server.database.owner);
  await sql`update slip_rules set rules = jsonb_set(rules, '{caps,user,most}', '"1"') where rules -> 'caps' -> 'user' is not null`.execute(
    server.database.owner,
  );
  if (first.some((paid) => !paid.startsWith('0.00')))
    expect((await proveBets(server.db)).broken).toBeGreaterThan(0);
}, 60_000);
