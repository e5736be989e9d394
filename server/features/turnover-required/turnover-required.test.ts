import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewDeposit } from '#contract/deposits.ts';
import { getUserBalance, placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { listTurnoverRequirements } from '#contract/turnover-requirements.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildPlayer } from '#server/testing/build-player.ts';
import { buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';
import { playedFor } from './progress.ts';

const KEY = 'platform-key-of-the-tests';
let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ platformApiKey: KEY });
  site = server.withToken(KEY);
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
  const { userId } = await buildPlayer(db, { balance: '1000' });
  await deposit(userId, '100');
  expect(await restOf(userId)).toBe('0.00');
  expect((await withdraw(userId, '10')).success).toBe(true);
  await setParam(db, 'turnover.depositTimes', '2');
  await setParam(db, 'turnover.giftTimes', '5.5');
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
  const next = await buildPhase(db, '5001');
  await buildSlips(db, next, [line('first', '3', '60')]);
  await recordResult(db, next, '3,3,5,5,5');
  await settleDue(db);
  expect((await withdraw(userId, '10')).success).toBe(true);
  // What was met is done, whatever comes after.
  expect((await admin.call(listTurnoverRequirements, { userId })).envelope.data).toEqual([]);
  expect((await withdraw(userId, '10')).success).toBe(true);
});
