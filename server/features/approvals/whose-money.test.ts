import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance, writeOffDebt } from '#contract/accounts.ts';
import { listApprovalNames, pageApprovals } from '#contract/approvals.ts';
import { disableOperator } from '#contract/operators.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { post } from '#server/features/ledger/ledger-store.ts';
import { insertWithdrawal } from '#server/features/withdrawals/withdrawal-store.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let checker: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  checker = (await fullOperator(server)).client;
  await setParam(server.db, 'approval.enabled', 'true');
  // Accounts are not numbered as their players are.
  await server.db.insertInto('player').values({ nickName: '没有账户' }).execute();
});
afterAll(() => server.close());

/** What the checker is told of a call that waits, and the rows that it names. */
async function told(answer: Parameters<typeof waiting>[0]) {
  const id = waiting(answer);
  const names = given((await checker.call(listApprovalNames, { id })).envelope.data);
  return { id, names, seen: await approvalSeenBy(checker, id) };
}

it('says whose account money is added to, and how much', async () => {
  const { userId, username, accountId } = await buildUser(server.db, { balance: '10' });
  expect(accountId).not.toBe(userId);
  const { seen, names } = await told(await admin.call(addBalance, { id: accountId, balance: '1000.50' }));
  expect(seen).toMatchObject({ userId, username, amount: '1000.50' });
  expect(names).toEqual([
    { noun: 'account', id: accountId, name: String(userId), find: { userId: String(userId) } },
  ]);
});

it('says whose debt is given up, and how much of it', async () => {
  const { userId, username, accountId } = await buildUser(server.db);
  const taken = { userId, changeType: 'WIN_REVERSAL', amount: '70', bizOrderNo: `B1/${userId}` } as const;
  await post(server.db, { ...taken, desc: null, source: 'OWING' });
  const { seen } = await told(
    await admin.call(writeOffDebt, { id: accountId, amount: '12.5', reason: '无法追回' }),
  );
  expect(seen).toMatchObject({ userId, username, amount: '12.50' });
});

it('says whose withdrawal is paid, how much it is, and leads to the order', async () => {
  const { userId, username } = await buildUser(server.db, { balance: '100' });
  const order = { userId, amount: '40', bankOrderNo: `w-${userId}`, receiveAccount: { accountNo: '1' } };
  const id = given(await insertWithdrawal(server.db, order));
  await post(server.db, {
    userId,
    changeType: 'FREEZE',
    amount: '40',
    bizOrderNo: `w-${userId}`,
    desc: null,
  });
  const { seen, names } = await told(await admin.call(markWithdrawal, { id, action: 'PAID' }));
  expect(seen).toMatchObject({ userId, username, amount: '40.00' });
  expect(names).toEqual([{ noun: 'withdrawal', id, name: String(id), find: { id: String(id) } }]);
});

it('says nothing of money where a call moves none of a player', async () => {
  const { id } = await fullOperator(server);
  const { seen } = await told(await admin.call(disableOperator, { id }));
  expect(seen).toMatchObject({ userId: null, username: null, amount: null });
  const { data } = (await checker.call(pageApprovals, { status: 'PENDING' })).envelope;
  expect(data?.data.map(({ amount }) => amount)).toEqual([null, '40.00', '12.50', '1000.50']);
  expect(data?.totalCount).toBe(4);
});
