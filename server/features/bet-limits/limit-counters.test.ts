import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { addBetLimit, deleteBetLimit, updateBetLimit } from '#contract/bet-limits.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { cancelSlip } from '#contract/slips.ts';
import {
  addPlayWay,
  buildBetting,
  closeBefore,
  slipOn,
  type WantedBet,
} from '#server/testing/build-betting.ts';
import { buildDice } from '#server/testing/build-dice.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { copySlip } from '#server/testing/many-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { problemsOfLimits, problemsOfPhase } from '../bets-proof/limit-proof.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginUnvoid, beginVoid } from '../settlements/voids.ts';

let server: TestServer;
let db: TestServer['db'];
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  db = server.db;
  site = server.site();
  admin = await server.admin();
});
afterEach(() => sql`delete from bet_limit`.execute(db));
afterAll(() => server.close());

const place = async (wanted: WantedBet): Promise<number> => {
  for (;;) {
    const { data, msg, code } = (await site.call(placeBet, { ...wanted, bizNo: randomUUID() })).envelope;
    if (data && 'slipId' in data) return data.slipId;
    if (code !== 503) throw new Error(String(msg));
  }
};
const limit = async (input: Parameters<typeof addBetLimit.input.parse>[0] & object): Promise<number> =>
  given((await admin.call(addBetLimit, input)).envelope.data);
/** What counters of a kind have taken, those of nothing left out. */
const taken = async (gameId: number, kind: string): Promise<number[]> => {
  const { rows } = await sql<{ taken: string }>`
    select taken from limit_counter where "gameId" = ${gameId} and kind = ${kind} and taken <> 0
    order by scope, owner, number`.execute(db);
  return rows.map((row) => Number(row.taken));
};
const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };

it('cancelling gives back what a slip took of every counter, a void what its lines took, until it is taken back', async () => {
  const { gameId, phase, playWays } = await buildDice(db, { to: 250 });
  // Reads a draw as the sums do, and is added up by itself.
  const lucky = await addPlayWay(db, gameId, {
    ...{ name: '幸运和值', selection: null, odds: { 7: '150' } },
    latitude: { name: '幸运和值', resultIndex: '*', handler: 'SumHandler' },
  });
  // Several units, and a draw that gives them back.
  const pushed = await addPlayWay(db, gameId, {
    ...{ name: '直选退十', odds: { 直选退十: '180' } },
    selection: { kind: 'PLACES', places: 3, of: ['1', '2', '3', '4', '5', '6'] },
    latitude: {
      name: '退十',
      resultIndex: '*',
      handler: 'SumBigSmallHandler',
      options: { from: 11, push: [10] },
    },
  });
  const limits = { maxUserStake: '9000', maxNumberPayout: '90000', maxLoss: '900000' };
  const limitId = await limit({ gameId, ...limits, payoutCapLine: '1450' });
  const [userId = 0, other = 0, tester = 0] = await buildBettors(db, 3);
  await sql`update player set "testAccount" = true where id = ${tester}`.execute(db);
  const lines = [
    { playWayId: playWays.sum, selection: '7,8', unitStake: '10' },
    { playWayId: playWays.size, selection: '大', unitStake: '40' },
    { playWayId: playWays.straight, selection: '1|2|3,4', unitStake: '1' },
    { playWayId: playWays.dragon, selection: '龙,虎', unitStake: '10' },
    { playWayId: lucky, selection: '7', unitStake: '1' },
    { playWayId: pushed, selection: '1|2|3,4', unitStake: '1' },
  ];
  await place({ gameId, phase, userId, bizNo: '', lines });
  const second = await place({ gameId, phase, userId: other, bizNo: '', lines });
  // 和值: 7 pays 1500 cut to 1450, less 20; 大小: 78 less its own 40; 直选: 180 less the stake of 2; 龙虎 less its own 10, since equal dice
  // give the other back; 幸运和值: 150 less 1; 直选退十: 180 less the stake of the one that wins.
  const others = 78 - 40 + 180 - 2 + 19.8 - 10 + 150 - 1 + 180 - 1;
  const loss = 1_450 - 20 + others;
  const numbers = [1_450, 1_400, 78, 180, 19.8, 19.8, 150, 180];
  const all = async () => {
    expect(await problemsOfLimits(db)).toEqual([]);
    const [users, cells, losses] = await Promise.all([
      taken(gameId, 'USER'),
      taken(gameId, 'NUMBER'),
      taken(gameId, 'LOSS'),
    ]);
    return { users, cells: cells.toSorted(), losses };
  };
  const one = { users: [85], cells: numbers.toSorted(), losses: [loss] };
  expect(await all()).toEqual({
    users: [85, 85],
    cells: numbers.map((each) => 2 * each).toSorted(),
    losses: [2 * loss],
  });
  await admin.call(cancelSlip, { id: second, reason: '用户要求撤单' });
  expect(await all()).toEqual(one);
  // A test account's slips take nothing, and give nothing back when they are cancelled or, with the others, void.
  const tested = { gameId, phase, userId: tester, bizNo: '', lines };
  const tried = await place(tested);
  await place(tested);
  await admin.call(cancelSlip, { id: tried, reason: '用户要求撤单' });
  expect(await all()).toEqual(one);
  // Betting closes long before the draw.
  await closeBefore(db, gameId, 299);
  const { id } = await db
    .transaction()
    .execute((tx) => beginVoid(tx, { gameId, phase, playWayId: playWays.sum }, act));
  await settleDue(db);
  const rest = { users: [65], cells: [150, 180, 180, 19.8, 19.8, 78], losses: [others] };
  expect(await all()).toEqual(rest);
  // So it is counted anew.
  await admin.call(deleteBetLimit, { id: limitId });
  await limit({ gameId, ...limits });
  expect(await all()).toEqual(rest);
  await db.transaction().execute((tx) => beginUnvoid(tx, id, act));
  await settleDue(db);
  expect(await all()).toEqual(one);
  await db.transaction().execute((tx) => beginVoid(tx, { gameId, phase }, act));
  await settleDue(db);
  expect(await all()).toEqual({ users: [], cells: [], losses: [] });
});

it('a changed limit counts anew only where other sums are limited, and leaves the game that it was for', async () => {
  const [betting, other] = [await buildBetting(db), await buildBetting(db)];
  const [tester = 0] = await buildBettors(db, 1);
  await sql`update player set "testAccount" = true where id = ${tester}`.execute(db);
  const cancelled = [await place(slipOn(betting)), await place(slipOn(betting, { userId: tester }))];
  for (const slipId of cancelled) await admin.call(cancelSlip, { id: slipId, reason: '用户要求撤单' });
  await place(slipOn(betting, { userId: tester }));
  await place(slipOn(betting));
  await place(slipOn(other));
  const id = await limit({ gameId: betting.gameId, maxUserStake: '100' });
  expect(await taken(betting.gameId, 'USER')).toEqual([10]);
  // A counter is written again only by counting anew.
  const writer = async () =>
    (
      await sql<{
        xmin: string;
      }>`select xmin::text from limit_counter where "gameId" = ${betting.gameId}`.execute(db)
    ).rows;
  const before = await writer();
  await admin.call(updateBetLimit, { id, maxUserStake: '15', minStake: '2', payoutCapSlip: '900' });
  expect(await writer()).toEqual(before);
  const refused = (await site.call(placeBet, slipOn(betting))).envelope;
  expect(refused.msg).toBe('超过单期用户投注限额 15.00，该用户本期还可投注 5.00');
  await admin.call(updateBetLimit, { id, gameId: other.gameId, maxUserStake: '15' });
  expect(await taken(betting.gameId, 'USER')).toEqual([]);
  expect(await taken(other.gameId, 'USER')).toEqual([10]);
  for (let placed = 0; placed < 2; placed++) await place(slipOn(betting));
  expect((await site.call(placeBet, slipOn(other))).envelope.success).toBe(false);
  expect(await problemsOfLimits(db)).toEqual([]);
});

it('a limit that counts many slips keeps no bettor waiting for it, and misses nothing that is placed or cancelled meanwhile', {
  retry: 0,
  timeout: 60_000,
}, async () => {
  const betting = await buildBetting(db);
  const { gameId, bigSmall, threeStars } = betting;
  const users = await buildBettors(db, 64, '100000');
  const lines = [
    { playWayId: bigSmall, selection: '大,小', unitStake: '1' },
    { playWayId: threeStars, selection: '1|2|3', unitStake: '1' },
  ];
  const first = await place(slipOn(betting, { lines }));
  for (let copied = 0; copied < 4; copied++) await copySlip(db, first, users, 2_000);
  let isOver = false;
  const placed: number[] = [];
  const bettor = async (userId: number) => {
    while (!isOver) {
      const slipId = await place(slipOn(betting, { userId, lines }));
      placed.push(slipId);
      if (slipId % 3 === 0) await admin.call(cancelSlip, { id: slipId, reason: '用户要求撤单' });
    }
  };
  const bettors = users.slice(0, 4).map(bettor);
  const most = { maxUserStake: '90000000', maxNumberPayout: '90000000', maxLoss: '90000000' };
  const counted: number[] = [];
  // On a busy machine it may be over before the bettors have their turn: then it is counted again, which helps nobody who is held up.
  for (let times = 0; times < 3 || (times < 20 && Math.max(...counted) <= 8); times++) {
    const before = placed.length;
    const id = await limit({ gameId, ...most });
    counted.push(placed.length - before);
    await admin.call(deleteBetLimit, { id });
  }
  await limit({ gameId, ...most });
  isOver = true;
  await Promise.all(bettors);
  // Held up for as long as it takes to count nobody would have placed more than the first.
  expect(Math.max(...counted)).toBeGreaterThan(8);
  expect(await problemsOfLimits(db)).toEqual([]);
  expect((await taken(gameId, 'USER')).length).toBe(65);
});

it('counters that are not what slips take are found, each by itself', async () => {
  const { gameId, phase, playWays } = await buildDice(db);
  const [userId = 0] = await buildBettors(db, 1);
  await limit({ gameId, maxUserStake: '9000', maxLoss: '900000' });
  await limit({ playWayId: playWays.face, maxNumberPayout: '90000' });
  await place({
    ...{ gameId, phase, userId, bizNo: '' },
    lines: [
      { playWayId: playWays.sum, selection: '7,8', unitStake: '10' },
      { playWayId: playWays.face, selection: '1,2', unitStake: '5' },
      { playWayId: playWays.dragon, selection: '龙', unitStake: '5' },
    ],
  });
  expect(await problemsOfLimits(db)).toEqual([]);
  class Undone extends Error {}
  const after = async (change: string): Promise<string> => {
    let said: string[] = [];
    await db
      .transaction()
      .execute(async (tx) => {
        await sql.raw(change).execute(tx);
        said = await problemsOfPhase(tx, gameId, phase);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    return said.join('\n');
  };
  const head = `游戏 ${gameId} 期号 ${phase} 的限额计数`;
  const where = (kind: string) => `"gameId" = ${gameId} and kind = '${kind}'`;
  expect(await after(`update limit_counter set taken = taken + 1 where ${where('USER')}`)).toBe(
    `${head} 用户投注 g ${userId} 应为 35.0000，记为 36.00`,
  );
  expect(await after(`update limit_counter set taken = taken - 1 where ${where('NUMBER')}`)).toMatch(
    new RegExp(`号码派彩 {2}${playWays.face} 1 应为 9.5000，记为 8.50`),
  );
  expect(await after(`update limit_counter set taken = taken - 1 where ${where('CELL')}`)).toMatch(
    /号码亏损 g .* 应为/,
  );
  expect(await after(`update limit_counter set worst = worst - 1 where ${where('BOOK')}`)).toMatch(
    /最坏 应为/,
  );
  expect(await after(`update limit_counter set taken = taken + 1 where ${where('BOOK')}`)).toMatch(
    /玩法亏损 g .* 应为/,
  );
  expect(
    await after(`update limit_counter set "isFloored" = not "isFloored" where ${where('BOOK')}`),
  ).toMatch(/应不小于 0/);
  expect(await after(`update limit_counter set taken = taken - 1 where ${where('LOSS')}`)).toMatch(
    / 亏损 g 0 应为/,
  );
  expect(await after(`delete from limit_counter where "gameId" = ${gameId}`)).toMatch(/用户投注 g .*记为 0/);
  expect(
    await after(`insert into limit_counter values (${gameId}, '${phase}', 'USER', 'w9', 7, '', 5)`),
  ).toBe(`${head} 用户投注 w9 7 应为 0.0000，记为 5`);
});
