import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewDeposit } from '#contract/deposits.ts';
import { getUserBalance, placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { listTurnoverRequirements } from '#contract/turnover-requirements.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { problemsOfCountedTurnover } from '../bets-proof/counted-turnover-proof.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { post } from '../ledger/ledger-store.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginVoid } from '../settlements/voids.ts';
import { countTurnover } from './count-turnover.ts';
import { playedFor } from './progress.ts';
import { requireTurnover } from './requirement-store.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

const deposit = async (userId: number, amount: string) => {
  const order = { userId, amount, type: 'BANK_TRANSFER' as const, bankOrderNo: randomUUID() };
  const id = given((await site.call(placeDeposit, order)).envelope.data);
  await admin.call(reviewDeposit, { id, action: 'PASS' });
};
const withdraw = async (userId: number, amount: string) =>
  (
    await site.call(placeWithdrawal, {
      ...{ userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } },
    })
  ).envelope;
const restOf = async (userId: number) =>
  (await site.call(getUserBalance, { id: userId })).envelope.data?.turnoverRest;

it('a slip counts for the oldest requirement that was there when it was placed, what is over for the next', () => {
  const required = [
    { since: 10, required: 100n },
    { since: 20, required: 50n },
  ];
  const at = (placed: number, turnover: bigint) => ({ placed, turnover });
  expect(playedFor(required, [at(5, 1_000n)])).toEqual([0n, 0n]);
  expect(playedFor(required, [at(15, 130n)])).toEqual([100n, 0n]);
  expect(playedFor(required, [at(25, 130n)])).toEqual([100n, 30n]);
  expect(playedFor(required, [at(25, 70n), at(15, 60n)])).toEqual([100n, 30n]);
  expect(playedFor(required, [at(30, 500n)])).toEqual([100n, 50n]);
});

it('nothing is asked for until a parameter says so; then deposits and gifts are to be turned over before a withdrawal', async () => {
  const { db } = server;
  const { userId } = await buildUser(db, { balance: '1000' });
  await deposit(userId, '100');
  expect(await restOf(userId)).toBe('0.00');
  expect((await withdraw(userId, '10')).success).toBe(true);
  const former = { userId, changeType: 'RECHARGE_GIVE' as const, amount: '1', bizOrderNo: randomUUID() };
  await site.call(postEntries, { entries: [former] });
  await setParam(db, 'turnover.depositTimes', '2');
  await setParam(db, 'turnover.giftTimes', '5.5');
  // What was given before is not asked for when it is sent again.
  await site.call(postEntries, { entries: [former] });
  expect(await restOf(userId)).toBe('0.00');
  await deposit(userId, '100');
  const gift = { userId, changeType: 'RECHARGE_GIVE' as const, amount: '20', bizOrderNo: randomUUID() };
  await site.call(postEntries, { entries: [gift] });
  // Sent again it is the same gift.
  await site.call(postEntries, { entries: [gift] });
  expect(await restOf(userId)).toBe('310.00');
  expect(await withdraw(userId, '10')).toMatchObject({
    ...{ success: false, msg: '还须完成流水 310.00 才能提现' },
    data: { errors: { amount: '还须完成流水 310.00 才能提现' } },
  });
  // As if they had been brought before what is bet now.
  await sql`update turnover_requirement set "createTime" = now() - interval '1 hour' where "userId" = ${userId}`.execute(
    db,
  );
  const phase = await buildPhase(db);
  const line = (rules: 'first' | 'size', selection: string, unitStake: string) => ({
    ...{ userId, lines: [{ rules, selection, unitStake }] },
  });
  await buildSlips(db, phase, [
    line('first', '3', '250'),
    line('size', '大', '30'),
    line('size', '小', '25'),
  ]);
  expect(await restOf(userId)).toBe('310.00');
  await recordResult(db, phase, '3,3,5,5,5');
  await settleDue(db);
  // 大 and 小 stand against each other.
  expect((await admin.call(listTurnoverRequirements, { userId })).envelope.data).toMatchObject([
    { kind: 'RECHARGE', amount: '100.00', required: '200.00', played: '200.00', rest: '0.00' },
    {
      kind: 'RECHARGE_GIVE',
      amount: '20.00',
      times: '5.5',
      required: '110.00',
      played: '50.00',
      rest: '60.00',
    },
  ]);
  expect((await withdraw(userId, '10')).msg).toBe('还须完成流水 60.00 才能提现');
  // What a draw gives back of a line is not turned over: 和 wins and 龙 comes back.
  const tied = await buildPhase(db, '5002');
  const both = { rules: 'dragon' as const, selection: '龙,和', unitStake: '25', units: 2 };
  await buildSlips(db, tied, [{ userId, lines: [both] }]);
  await recordResult(db, tied, '3,3,5,5,5');
  await settleDue(db);
  expect((await withdraw(userId, '10')).msg).toBe('还须完成流水 35.00 才能提现');
  const next = await buildPhase(db, '5001');
  await buildSlips(db, next, [line('first', '3', '35')]);
  await recordResult(db, next, '3,3,5,5,5');
  await settleDue(db);
  expect((await withdraw(userId, '10')).success).toBe(true);
  // What was met is done, whatever comes after.
  expect((await admin.call(listTurnoverRequirements, { userId })).envelope.data).toEqual([]);
  expect((await withdraw(userId, '10')).success).toBe(true);
});

it('what was settled long ago is read from what was counted, corrections and voids included', async () => {
  const { db } = server;
  await setParam(db, 'turnover.depositTimes', '10');
  const { userId } = await buildUser(db, { balance: '10000' });
  await deposit(userId, '100');
  await deposit(userId, '50');
  // The first was brought before all that is bet now, the second between the second phase and the third.
  await sql`
    update turnover_requirement set "createTime" = now() - case amount when 100 then interval '1 day' else interval '8 minutes' end
    where "userId" = ${userId}`.execute(db);
  const phases: { gameId: number; phase: string }[] = [];
  for (const stake of ['300', '800', '120']) {
    const phase = await buildPhase(db);
    phases.push(phase);
    if (stake === '120')
      await sql`update draw_plan set "startTime" = "startTime" + interval '2 minutes' where "gameId" = ${phase.gameId}`.execute(
        db,
      );
    await buildSlips(db, phase, [
      { userId, lines: [{ rules: 'first', selection: '3', unitStake: stake }] },
      { userId, lines: [{ rules: 'size', selection: '大', unitStake: '30' }] },
      { userId, lines: [{ rules: 'size', selection: '小', unitStake: '25' }] },
    ]);
    await recordResult(db, phase, '3,3,5,5,5');
  }
  await settleDue(db);
  const rests = async () =>
    (await admin.call(listTurnoverRequirements, { userId })).envelope.data?.map(({ rest }) => rest);
  // 大 and 小 are left out. 1,100 of 1,000 before the second, 120 of 500 since.
  expect(await rests()).toEqual(['0.00', '380.00']);
  expect(await countTurnover(db), 'what ended just now is left alone').toBe(false);
  const age = () =>
    sql`update settlement set "endTime" = "endTime" - interval '5 minutes', "startTime" = "startTime" - interval '5 minutes'
      where "endTime" > now() - interval '1 minute'`.execute(db);
  await age();
  await sql`update turnover_mark set "endTime" = now() - interval '1 hour'`.execute(db);
  while (await countTurnover(db));
  expect(await rests()).toEqual(['0.00', '380.00']);
  expect(await problemsOfCountedTurnover(db)).toEqual([]);
  // Nothing else is added up any more: what was counted is believed.
  await sql`
    update turnover_counted set turnover = turnover + 7 where phase = '5000' and "requirementId" = (
      select max(id) from turnover_requirement where "userId" = ${userId}) and "gameId" = ${phases[2]?.gameId ?? 0}`.execute(
    db,
  );
  expect(await rests()).toEqual(['0.00', '373.00']);
  // But the proof adds it up once more, and says what is wrong.
  const wrong = expect.stringMatching(/期号 5000 的有效投注应为 120\.00.*，记为 127\.00/);
  expect(await problemsOfCountedTurnover(db)).toEqual([wrong]);
  const { breaks } = await proveBets(db);
  expect(breaks.map(({ problem }) => problem)).toContainEqual(wrong);
  // A void of a phase that was counted holds at once, and is counted in its turn.
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  const [voided] = phases;
  if (!voided) throw new Error('no phase');
  await db.transaction().execute((tx) => beginVoid(tx, voided, act));
  await settleDue(db);
  expect(await rests()).toEqual(['73.00', '500.00']);
  await age();
  await sql`update turnover_mark set "endTime" = now() - interval '1 hour', "settlementId" = 0`.execute(db);
  while (await countTurnover(db));
  expect(await rests()).toEqual(['80.00', '500.00']);
  expect(await problemsOfCountedTurnover(db)).toEqual([]);
  // What was not counted at all is missed too.
  await sql`delete from turnover_counted where turnover = 120`.execute(db);
  expect(await problemsOfCountedTurnover(db)).toEqual([
    expect.stringMatching(/应为 120\.0000 或 125\.0000，没有记录/),
  ]);
});

it('what is settled after the clock was set back behind the mark counts', async () => {
  const { db } = server;
  await setParam(db, 'turnover.depositTimes', '10');
  const { userId } = await buildUser(db, { balance: '10000' });
  await deposit(userId, '100');
  await sql`update turnover_requirement set "createTime" = now() - interval '1 day' where "userId" = ${userId}`.execute(
    db,
  );
  // As if a settlement had been counted while the clock was a year ahead.
  await sql`update turnover_mark set "endTime" = now() + interval '1 year'`.execute(db);
  const phase = await buildPhase(db);
  await buildSlips(db, phase, [
    { userId, lines: [{ rules: 'size' as const, selection: '大', unitStake: '30' }] },
  ]);
  await recordResult(db, phase, '3,3,5,5,5');
  await settleDue(db);
  await countTurnover(db);
  const rests = (await admin.call(listTurnoverRequirements, { userId })).envelope.data;
  expect(rests?.map(({ rest }) => rest)).toEqual(['970.00']);
  const { rows } = await sql`select from turnover_mark where "endTime" > now()`.execute(db);
  expect(rows).toEqual([]);
});

it('what opposing lines came to is proven by the way that was in force when their phase was counted', async () => {
  const { db } = server;
  await setParam(db, 'turnover.depositTimes', '10');
  const { userId } = await buildUser(db, { balance: '10000' });
  await deposit(userId, '100');
  await sql`update turnover_requirement set "createTime" = now() - interval '1 day' where "userId" = ${userId}`.execute(
    db,
  );
  // As if the program that keeps the way had been there all the time.
  await sql`update turnover_mark set "waysSince" = now() - interval '1 hour', "endTime" = now() - interval '1 hour'`.execute(
    db,
  );
  const bet = (selection: string, unitStake: string) => ({
    userId,
    lines: [{ rules: 'size' as const, selection, unitStake }],
  });
  const phases: number[] = [];
  for (const way of ['BOTH', 'DIFFERENCE']) {
    await setParam(db, 'rebate.opposing', way);
    const phase = await buildPhase(db);
    phases.push(phase.gameId);
    await buildSlips(db, phase, [bet('大', '30'), bet('小', '25')]);
    await recordResult(db, phase, '3,3,5,5,5');
    await settleDue(db);
    await sql`update settlement set "endTime" = "endTime" - interval '5 minutes', "startTime" = "startTime" - interval '5 minutes'
      where "gameId" = ${phase.gameId}`.execute(db);
    await sql`update turnover_mark set "endTime" = now() - interval '1 hour', "settlementId" = 0`.execute(db);
    while (await countTurnover(db));
    if (way === 'BOTH') await sql`update turnover_mark set "endTime" = now()`.execute(db);
  }
  const [both = 0, difference = 0] = phases;
  const kept = async () => {
    const { rows } = await sql<{ told: string }>`
      select "gameId" || ' ' || turnover || ' ' || opposing as told from turnover_counted where "gameId" = any(${phases}::bigint[]) order by "gameId"`.execute(
      db,
    );
    return rows.map(({ told }) => told);
  };
  // The first was counted once more with the second, by what was in force by then; nothing and all of the difference are both kept.
  await sql`update turnover_counted set turnover = 0.00, opposing = 'BOTH' where "gameId" = ${both}`.execute(
    db,
  );
  expect(await kept()).toEqual([`${both} 0.00 BOTH`, `${difference} 5.00 DIFFERENCE`]);
  expect(await problemsOfCountedTurnover(db)).toEqual([]);
  const after = async (change: string) => {
    await sql`create table kept as table turnover_counted`.execute(server.database.owner);
    await sql.raw(change).execute(db);
    const problems = (await problemsOfCountedTurnover(db)).map((said) => said.replace(/^.*期号 5000 /, ''));
    await sql`delete from turnover_counted`.execute(db);
    await sql`insert into turnover_counted select * from kept`.execute(server.database.owner);
    await sql`drop table kept`.execute(server.database.owner);
    return problems;
  };
  const [ofBoth, ofDifference] = phases.map((id) => `where "gameId" = ${id}`);
  // Each would be right by the other way.
  expect(await after(`update turnover_counted set turnover = 5 ${ofBoth}`)).toEqual([
    '的有效投注应为 0.0000，记为 5.0000',
  ]);
  expect(await after(`update turnover_counted set turnover = 0 ${ofDifference}`)).toEqual([
    '的有效投注应为 5.0000，记为 0.0000',
  ]);
  const missing = ['的有效投注应为 0.0000 或 5.0000，没有记录'];
  expect(await after(`delete from turnover_counted ${ofBoth}`)).toEqual(missing);
  expect(await after(`delete from turnover_counted ${ofDifference}`)).toEqual(missing);
  expect(await after(`update turnover_counted set opposing = null ${ofBoth}`)).toHaveLength(1);
  // What was counted before anybody kept it may be right by either.
  await sql`update turnover_mark set "waysSince" = now()`.execute(db);
  await sql`update turnover_counted set opposing = null, turnover = 5 where "gameId" = ${both}`.execute(db);
  expect(await problemsOfCountedTurnover(db)).toEqual([]);
});

it('what is paid in while a withdrawal is placed is not withdrawn without being turned over', async () => {
  const { db } = server;
  const { userId } = await buildUser(db, { balance: '10' });
  await setParam(db, 'turnover.depositTimes', '1');
  try {
    const placing = await db.transaction().execute(async (tx) => {
      const entry = {
        userId,
        changeType: 'RECHARGE',
        amount: '500',
        bizOrderNo: randomUUID(),
        desc: null,
      } as const;
      const { id } = await post(tx, entry);
      await requireTurnover(tx, [given(id)]);
      const answer = withdraw(userId, '400');
      await expect.poll(() => waitForLocks(db), { timeout: 30_000 }).toBeGreaterThan(0);
      return { answer };
    });
    expect((await placing.answer).msg).toBe('还须完成流水 500.00 才能提现');
  } finally {
    await setParam(db, 'turnover.depositTimes', '0');
  }
});
