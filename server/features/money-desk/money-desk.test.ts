import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { releaseApproval } from '#contract/approvals.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageDeposits, reviewDeposit } from '#contract/deposits.ts';
import type { WireInput } from '#contract/endpoint.ts';
import {
  getDeskOrder,
  getMoneyDesk,
  type OrderKey,
  putBackOrder,
  takeNextOrder,
  takeOrder,
} from '#contract/money-desk.ts';
import { endOnlineSession, pageOnlineSessions } from '#contract/online-sessions.ts';
import { addParamSetting, listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildPhase, buildSlips, playWays, recordResult } from '#server/testing/build-slips.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginVoid } from '../settlements/voids.ts';

const DESK = '/main/user/money-desk';
const LISTS = ['/main/user/deposit-record', '/main/user/withdraw-record'];
let server: TestServer;
let other: TestServer;
let site: TestClient;
let admin: TestClient;
const signIn = async (on: TestServer, grants: string[]) => {
  const { username, id } = await buildOperator(server.db, { grants });
  return { username, id, client: await on.as(username, PASSWORD) };
};
let one: Awaited<ReturnType<typeof signIn>>;
let two: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  site = server.site();
  admin = await server.admin();
  one = await signIn(server, [DESK, ...LISTS]);
  two = await signIn(other, [DESK, ...LISTS]);
});
afterAll(async () => {
  await other.close();
  await server.close();
});
beforeEach(async () => {
  // Each test has the queue to itself.
  const done = sql`status = 'FAIL', "reviewTime" = now(), "takenBy" = null where status = 'PROCESSING'`;
  await sql`update deposit set ${done}`.execute(server.db);
  await sql`update withdrawal set ${done}`.execute(server.db);
});

/** The number of an order that is placed, once nobody else is in its way. */
async function placed(
  place: () => Promise<{ envelope: { data: number | null; code?: number | undefined } }>,
): Promise<number> {
  for (;;) {
    const { data, code } = (await place()).envelope;
    if (code !== 503) return given(data);
  }
}
const deposit = async (
  userId: number,
  amount: string,
  more: Partial<WireInput<typeof placeDeposit>> = {},
) => {
  const order = { userId, amount, type: 'BANK_TRANSFER' as const, bankOrderNo: randomUUID(), ...more };
  return { kind: 'DEPOSIT', id: await placed(() => site.call(placeDeposit, order)) } as const;
};
const withdrawal = async (userId: number, amount: string) => {
  const order = {
    userId,
    amount,
    bankOrderNo: randomUUID(),
    receiveAccount: { accountNo: '6222', realName: '王五' },
  };
  return { kind: 'WITHDRAWAL', id: await placed(() => site.call(placeWithdrawal, order)) } as const;
};
const next = async (client: TestClient, input: WireInput<typeof takeNextOrder> = {}) =>
  given((await client.call(takeNextOrder, input)).envelope.data).order;
const queue = async (client: TestClient, input: WireInput<typeof getMoneyDesk> = {}) =>
  given((await client.call(getMoneyDesk, input)).envelope.data);
const detail = async (client: TestClient, key: OrderKey) =>
  given((await client.call(getDeskOrder, key)).envelope.data);
const pass = async (client: TestClient, { id }: OrderKey) =>
  (await client.call(reviewDeposit, { id, action: 'PASS' })).envelope;
const older = (key: OrderKey, minutes: number) =>
  sql`update ${sql.table(key.kind === 'DEPOSIT' ? 'deposit' : 'withdrawal')}
    set "createTime" = now() - make_interval(mins => ${minutes}::int) where id = ${key.id}`.execute(
    server.db,
  );

it('gives 50 orders to cashiers on two servers who ask 60 times at once, each order to one of them', {
  retry: 0,
}, async () => {
  const { userId } = await buildUser(server.db, { balance: '1000' });
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n < 40 ? deposit(userId, `${n + 1}`) : withdrawal(userId, '1'))),
  );
  const asked = Array.from({ length: 60 }, (_, n) => next((n % 2 === 0 ? one : two).client));
  const got = (await Promise.all(asked)).filter((order) => order !== null);
  const names = (orders: readonly OrderKey[]) => orders.map(({ kind, id }) => `${kind} ${id}`).toSorted();
  expect(names(got)).toEqual(names(made));
  const { deposits, withdrawals, orders } = await queue(one.client);
  expect({ deposits, withdrawals }).toEqual({ deposits: 40, withdrawals: 10 });
  expect(new Set(orders.map(({ taker }) => taker))).toEqual(new Set([one.username, two.username]));
  expect(orders.filter(({ own }) => own)).toHaveLength(
    orders.filter(({ taker }) => taker === one.username).length,
  );
  // The same order asked for at once by name is one cashier's too.
  const wanted = await deposit(userId, '5');
  const taken = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).client.call(takeOrder, wanted)),
  );
  const { taker } = given(
    (await queue(one.client)).orders.find(({ kind, id }) => kind === 'DEPOSIT' && id === wanted.id),
  );
  const refused = taken.filter(({ envelope }) => !envelope.success);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.envelope.msg).toBe(`该订单正由 ${taker} 处理，请在资金工作台接手后再处理`);
});

it('lets nobody else decide a taken order, by list or desk, until it is put back, taken over or its time is over', async () => {
  const { userId } = await buildUser(server.db);
  const order = await deposit(userId, '30');
  expect(await next(one.client)).toEqual(order);
  expect(await next(two.client)).toBeNull();
  const listed = async () =>
    given((await two.client.call(pageDeposits, { id: order.id })).envelope.data?.data[0]);
  expect(await listed()).toMatchObject({ taker: one.username, status: 'PROCESSING' });
  const refused = { success: false, msg: `该订单正由 ${one.username} 处理，请在资金工作台接手后再处理` };
  expect(await pass(two.client, order)).toMatchObject(refused);
  expect(await pass(admin, order)).toMatchObject(refused);
  expect((await two.client.call(takeOrder, order)).envelope).toMatchObject(refused);
  // What is another's is not put back for them.
  const putBack = async ({ client }: typeof one) => (await client.call(putBackOrder, order)).envelope.msg;
  expect(await putBack(two)).toBe(`充值订单 ${order.id} 已不由您处理`);
  expect(await pass(two.client, order)).toMatchObject(refused);
  expect(await putBack(one)).toBe(`已放回充值订单 ${order.id}`);
  expect(await listed()).toMatchObject({ taker: null });
  expect(await next(two.client)).toEqual(order);
  expect(await pass(one.client, order)).toMatchObject({ success: false });
  const takes = async (over: boolean) => (await one.client.call(takeOrder, { ...order, over })).envelope.msg;
  expect(await takes(true)).toBe(`已接手充值订单 ${order.id}`);
  const records = (
    await admin.call(pageChangeRecords, { targetId: String(order.id), userName: one.username })
  ).envelope;
  const [took] = given(records.data).data;
  expect(took).toMatchObject({
    summary: '领取订单',
    before: { taker: two.username },
    after: { taker: one.username },
  });
  expect(await takes(false)).toBe(`已领取充值订单 ${order.id}`);
  expect(await pass(two.client, order)).toMatchObject({ success: false });
  // Its time is over.
  await sql`update deposit set "takenUntil" = now() - interval '1 second' where id = ${order.id}`.execute(
    server.db,
  );
  expect(await listed()).toMatchObject({ taker: null });
  expect(await next(two.client)).toEqual(order);
  expect(await pass(two.client, order)).toMatchObject({ success: true });
  expect(await balanceOf(server.db, userId)).toMatchObject({ totalAmount: '30.00' });
  expect((await one.client.call(takeOrder, order)).envelope.msg).toBe('该订单已处理');
  expect((await one.client.call(takeOrder, { kind: 'DEPOSIT', id: 999_999_999 })).envelope.msg).toBe(
    '记录不存在',
  );
  // One that nobody has taken is decided from the list as ever.
  expect(await pass(admin, await deposit(userId, '1'))).toMatchObject({ success: true });
});

it('takes for as long as the parameter says, and gives up what a session held that is over', async () => {
  const { userId } = await buildUser(server.db);
  const order = await deposit(userId, '10');
  const leaving = await signIn(server, [DESK, ...LISTS]);
  const again = await server.as(leaving.username, PASSWORD);
  expect(await next(leaving.client)).toEqual(order);
  const { takenUntil } = await detail(leaving.client, order);
  await setParam(server.db, 'desk.takeMinutes', '240');
  await leaving.client.call(takeOrder, order);
  const later = await detail(leaving.client, order);
  await setParam(server.db, 'desk.takeMinutes', '10');
  expect(Date.parse(given(later.takenUntil)) - Date.parse(given(takenUntil))).toBeGreaterThan(229 * 60_000);
  const sessions =
    (await admin.call(pageOnlineSessions, { userName: leaving.username })).envelope.data?.data ?? [];
  const mine = (
    await sql<{ takenIn: string }>`select "takenIn" from deposit where id = ${order.id}`.execute(server.db)
  ).rows[0]?.takenIn;
  expect(sessions.map(({ id }) => id)).toContain(mine);
  const end = async (id: string) => (await admin.call(endOnlineSession, { id })).envelope.success;
  expect(await end(given(sessions.find(({ id }) => id !== mine)).id)).toBe(true);
  expect(await next(two.client)).toBeNull();
  expect(await end(given(mine))).toBe(true);
  expect(await next(two.client)).toEqual(order);
  expect((await again.call(getMoneyDesk, {})).envelope.success).toBe(false);
});

it('shows and gives only what its operator may decide', async () => {
  const { userId } = await buildUser(server.db, { balance: '100' });
  const paidIn = await deposit(userId, '10');
  const paidOut = await withdrawal(userId, '5');
  const cashier = await signIn(server, [DESK, '/main/user/deposit-record']);
  const idle = await signIn(server, [DESK]);
  expect(await queue(cashier.client)).toMatchObject({ deposits: 1, withdrawals: null, orders: [paidIn] });
  expect(await queue(idle.client)).toEqual({ deposits: null, withdrawals: null, orders: [] });
  expect(await queue(one.client, { kind: 'WITHDRAWAL' })).toMatchObject({
    deposits: null,
    orders: [paidOut],
  });
  for (const call of [takeOrder, putBackOrder, getDeskOrder])
    expect(await cashier.client.call(call, paidOut)).toMatchObject({
      ...{ status: 403, envelope: { data: { call: 'markWithdrawal', needs: ['用户管理 / 提现订单'] } } },
    });
  expect((await cashier.client.call(takeNextOrder, { kind: 'WITHDRAWAL' })).status).toBe(403);
  expect(await next(idle.client)).toBeNull();
  expect(await next(cashier.client)).toEqual(paidIn);
  expect(await next(cashier.client)).toBeNull();
  expect((await (await signIn(server, LISTS)).client.call(getMoneyDesk, {})).status).toBe(403);
});

it('gives what was promised first, leaves out what was passed over, and tells how late it is', async () => {
  const { userId } = await buildUser(server.db, { balance: '100' });
  const young = await deposit(userId, '10');
  const old = await withdrawal(userId, '5');
  await older(old, 50);
  await older(young, 10);
  // 15 minutes are promised for a deposit, 60 for a withdrawal: 5 minutes are left here, 10 there.
  expect((await queue(one.client)).orders.map(({ id, kind }) => ({ kind, id }))).toEqual([young, old]);
  expect(await next(one.client)).toEqual(young);
  await one.client.call(putBackOrder, young);
  expect(await next(one.client, { passed: [young] })).toEqual(old);
  await one.client.call(putBackOrder, old);
  await older(old, 58);
  // An order that is passed over makes no other of its kind more urgent.
  const fresh = await withdrawal(userId, '1');
  expect(await next(one.client, { passed: [old] })).toEqual(young);
  await one.client.call(putBackOrder, young);
  await one.client.call(markWithdrawal, { id: fresh.id, action: 'REJECT', remark: '重新提交' });
  expect(await next(one.client)).toEqual(old);
  await older(young, 20);
  const late = given((await queue(one.client)).orders.find(({ kind }) => kind === 'DEPOSIT'));
  expect(late.left).toBeLessThanOrEqual(-300);
  expect(late.left).toBeGreaterThan(-320);
  await setParam(server.db, 'deposit.promisedMinutes', '0');
  expect((await queue(one.client)).orders.map(({ left }) => left === null)).toEqual([false, true]);
  await setParam(server.db, 'deposit.promisedMinutes', '15');
});

it('shows beside an order what it takes to decide it', async () => {
  const { db } = server;
  const { userId, username } = await buildUser(db, { realName: '王五', balance: '500' });
  // Paid before what is bet.
  const paid = await sql<{ id: number }>`
    insert into deposit ("userId", amount, "bankOrderNo", type, status, "createTime", "successTime", "reviewTime")
    values (${userId}, as_money(500), ${randomUUID()}, 'BANK_TRANSFER', 'SUCCESS', now() - interval '2 hours',
      now() - interval '1 hour', now() - interval '1 hour') returning id`.execute(db);
  const first = given(paid.rows[0]);
  // Came in after it, and was paid before.
  await sql`
    insert into deposit ("userId", amount, "bankOrderNo", type, status, "createTime", "successTime", "reviewTime")
    values (${userId}, as_money(1), ${randomUUID()}, 'BANK_TRANSFER', 'SUCCESS', now() - interval '4 hours',
      now() - interval '3 hours', now() - interval '3 hours')`.execute(db);
  const rejected = await deposit(userId, '70');
  await one.client.call(reviewDeposit, { id: rejected.id, action: 'REJECT', remark: '未到账' });
  const phase = await buildPhase(db);
  await buildSlips(db, phase, [
    { userId, lines: [{ rules: 'first', selection: '1', unitStake: '10' }] },
    { userId, lines: [{ rules: 'first', selection: '2', unitStake: '20' }] },
    { userId, lines: [{ rules: 'size', selection: '大', unitStake: '6' }] },
  ]);
  await sql`update player set frozen = true, "freezeReason" = '核实身份', "excludedUntil" = now() + interval '1 day'
    where id = ${userId}`.execute(db);
  await setParam(db, 'withdraw.maxAmount', '1000');
  const order = await withdrawal(userId, '100');
  const told = await detail(one.client, order);
  await setParam(db, 'withdraw.maxAmount', '0');
  expect(told).toMatchObject({
    kind: 'WITHDRAWAL',
    order: {
      ...{ id: order.id, userId, username, amount: '100.00', status: 'PROCESSING' },
      receiveAccount: { accountNo: '6222', realName: '王五', alias: null },
    },
    ...{ taker: null, own: false, submitted: false, turnoverRest: '0.00' },
    player: { realName: '王五', frozen: true, freezeReason: '核实身份', testAccount: false },
    account: { totalAmount: '464.00', availableAmount: '364.00', freezeAmount: '100.00', debt: '0.00' },
    paid: { deposits: '501.00', withdrawals: '0.00' },
    last: [
      { kind: 'DEPOSIT', id: rejected.id, status: 'FAIL', remark: '未到账', reviewer: one.username },
      { kind: 'DEPOSIT', id: first.id, status: 'SUCCESS' },
      { kind: 'DEPOSIT', amount: '1.00', status: 'SUCCESS' },
    ],
    sinceDeposit: {
      id: first.id,
      amount: '500.00',
      slips: 3,
      stake: '36.00',
      pending: '36.00',
      more: false,
    },
    limits: { lowest: null, highest: '1000', approval: false },
    reasons: ['收款账户有误', '收款人与实名不符', '请联系客服核实'],
  });
  expect(told.player.excludedUntil).not.toBeNull();
  // 9 gives back what was bet on its size.
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  const since = async () => (await detail(one.client, order)).sinceDeposit;
  expect(await since()).toMatchObject({ slips: 3, pending: '0.00', stake: '30.00' });
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  await db.transaction().execute((tx) => beginVoid(tx, { ...phase, playWayId: playWays.size }, act));
  await settleDue(db);
  expect(await since()).toMatchObject({ slips: 2, pending: '0.00', stake: '30.00' });
  const { player, sinceDeposit } = await detail(one.client, await deposit((await buildUser(db)).userId, '1'));
  expect({ ...player, sinceDeposit }).toMatchObject({
    frozen: false,
    excludedUntil: null,
    sinceDeposit: null,
  });
  expect((await one.client.call(getDeskOrder, { kind: 'DEPOSIT', id: 999_999_999 })).envelope.msg).toBe(
    '记录不存在',
  );
});

it('keeps a withdrawal that a second operator has to release out of the queue until that is decided', async () => {
  const second = await fullOperator(server);
  const third = await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  const { userId } = await buildUser(server.db, { balance: '100' });
  const order = await withdrawal(userId, '40');
  expect((await detail(one.client, order)).limits.approval).toBe(true);
  expect(await next(one.client)).toEqual(order);
  const paid = { id: order.id, action: 'PAID', fromName: '出纳甲' } as const;
  const approval = waiting(await one.client.call(markWithdrawal, paid));
  await one.client.call(putBackOrder, order);
  expect((await queue(two.client)).orders).toMatchObject([{ id: order.id, submitted: true, taker: null }]);
  expect(await next(two.client)).toBeNull();
  // However late it is, it makes no other withdrawal more urgent.
  await older(order, 90);
  const another = await buildUser(server.db, { balance: '100' });
  const [urgent, fresh] = [await deposit(another.userId, '1'), await withdrawal(another.userId, '1')];
  await older(urgent, 10);
  expect(await next(two.client)).toEqual(urgent);
  expect(await next(two.client)).toEqual(fresh);
  await pass(two.client, urgent);
  await two.client.call(markWithdrawal, { id: fresh.id, action: 'REJECT', remark: '重新提交' });
  const again = (await two.client.call(takeOrder, { ...order, over: true })).envelope;
  expect(again.msg).toBe('该订单已提交打款，正待复核；驳回或撤回之后才能另作处理');
  expect((await second.client.call(releaseApproval, { id: approval })).envelope.success).toBe(true);
  const [row] = given((await third.client.call(pageWithdrawals, { id: order.id })).envelope.data).data;
  expect(row).toMatchObject({ status: 'SUCCESS', reviewer: one.username, fromName: '出纳甲', taker: null });
  expect((await queue(two.client)).orders).toEqual([]);
  await setParam(server.db, 'approval.enabled', 'false');
});

it('keeps the reasons an operator may choose from as a parameter, nine at most', async () => {
  const params = given((await admin.call(listParamSettings, {})).envelope.data);
  const reasons = given(params.find(({ key }) => key === 'deposit.rejectReasons'));
  const save = async (value: string) =>
    (await admin.call(updateParamSetting, { ...reasons, version: undefined, value })).envelope;
  expect((await save(Array.from({ length: 10 }, (_, n) => `原因${n}`).join('；'))).data).toMatchObject({
    errors: { value: '参数值不能超过 9 条' },
  });
  expect((await save('长'.repeat(101))).data).toMatchObject({
    errors: { value: '参数值每条不能超过 100 个字符' },
  });
  expect((await save('未到账； 金额不符;')).success).toBe(true);
  const { userId } = await buildUser(server.db);
  expect((await detail(one.client, await deposit(userId, '1'))).reasons).toEqual(['未到账', '金额不符']);
  const taken = await admin.call(addParamSetting, { ...reasons, key: 'desk.takeMinutes' });
  expect(taken.envelope.success).toBe(false);
});
