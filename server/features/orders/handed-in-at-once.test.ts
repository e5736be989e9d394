import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { approvalIdOf } from '#contract/approvals.ts';
import type { Envelope } from '#contract/envelope.ts';
import { takeOrder } from '#contract/money-desk.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { setParam, startApproving, waiting } from '#server/testing/approving.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { post } from '../ledger/ledger-store.ts';
import { insertWithdrawal } from '../withdrawals/withdrawal-store.ts';

const { server, admin, second, release } = await startApproving();
const { db } = server;
await setParam(db, 'approval.withdrawalAbove', '500');
afterAll(async () => {
  await expectProven(db);
  await server.close();
});

async function placed() {
  const { userId } = await buildUser(db, { balance: '1000' });
  const order = { userId, amount: '600', bankOrderNo: `w-${userId}`, receiveAccount: { accountNo: '1' } };
  const id = await db.transaction().execute(async (tx) => {
    await post(tx, { userId, changeType: 'FREEZE', amount: '600', bizOrderNo: null, desc: null });
    return given(await insertWithdrawal(tx, order));
  });
  return { id, userId };
}

const pay = (id: number, by = admin) => by.call(markWithdrawal, { id, action: 'PAID' });
const reject = (id: number, by = admin) =>
  by.call(markWithdrawal, { id, action: 'REJECT', remark: '资料不符' });
const isHandedIn = (envelope: Envelope) => approvalIdOf(envelope.data) !== undefined;
const pendingOf = (id: number) =>
  db
    .selectFrom('approval')
    .select('maker')
    .where('targetId', '=', String(id))
    .where('status', '=', 'PENDING')
    .execute();

/** Has a payout handed in and something else asked for before that is kept: what the first one did is undone by then. */
async function meanwhile<T>(first: () => Promise<T>, other: () => Promise<T>) {
  const calls = await db.transaction().execute(async (tx) => {
    await sql`lock table approval in share mode`.execute(tx);
    const one = first();
    while ((await waitForLocks(db)) < 1);
    const two = other();
    const over = two.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(db)) < 2);
    return [one, two] as const;
  });
  return Promise.all(calls);
}

it('of two who hand in one payout at the same moment the second is told so, and the first is released', {
  retry: 0,
}, async () => {
  const { id, userId } = await placed();
  const answers = await meanwhile(
    () => pay(id),
    () => pay(id, second.client),
  );
  expect(await pendingOf(id)).toEqual([{ maker: 'admin' }]);
  expect(answers[1].envelope.msg).toBe('该订单已提交打款，正待复核；驳回或撤回之后才能另作处理');
  expect((await release(waiting(answers[0]))).success).toBe(true);
  expect(await balanceOf(db, userId)).toMatchObject({ totalAmount: '400.00', freezeAmount: '0.00' });
});

it('whoever rejects an order while its payout is handed in comes before it, or is told so', {
  retry: 0,
}, async () => {
  const { id } = await placed();
  const [paying, rejecting] = await meanwhile(
    () => pay(id),
    () => reject(id, second.client),
  );
  expect([isHandedIn(paying.envelope), rejecting.envelope.msg]).toEqual([
    true,
    '该订单已提交打款，正待复核；驳回或撤回之后才能另作处理',
  ]);
  expect(await pendingOf(id)).toHaveLength(1);
});

it('whoever takes an order while its payout is handed in comes before it, or is told so', {
  retry: 0,
}, async () => {
  const { id } = await placed();
  const [paying, taking] = await meanwhile<{ envelope: Envelope }>(
    () => pay(id),
    () => second.client.call(takeOrder, { kind: 'WITHDRAWAL', id }),
  );
  expect(taking.envelope.msg).toBe('该订单已提交打款，正待复核；驳回或撤回之后才能另作处理');
  expect((await release(waiting(paying))).success).toBe(true);
});

it('what is handed in while a rejection waits for the order is seen by it', { retry: 0 }, async () => {
  const { id } = await placed();
  const rejecting = await db.transaction().execute(async (tx) => {
    await sql`select from withdrawal where id = ${id} for update`.execute(tx);
    const call = reject(id, second.client);
    while ((await waitForLocks(db)) < 1);
    await sql`
      insert into approval (call, summary, release, why, input, digest, "targetId", "makerId", maker, "makerSession", "makerAddress",
        "makerAgent", "expireTime")
      select 'markWithdrawal', '', 'approval:money', '', '{}', '', ${String(id)}, id, "userName", gen_random_uuid(), '', '', now() + interval '1 hour'
      from operator where "userName" = 'admin'`.execute(tx);
    return { call };
  });
  expect((await rejecting.call).envelope.msg).toBe('该订单已提交打款，正待复核；驳回或撤回之后才能另作处理');
});

it('who has taken an order and handed it in is told that it waits, not that they have it', async () => {
  const { id } = await placed();
  expect((await admin.call(takeOrder, { kind: 'WITHDRAWAL', id })).envelope.success).toBe(true);
  waiting(await pay(id));
  expect((await reject(id)).envelope.msg).toBe('该订单已提交打款，正待复核；驳回或撤回之后才能另作处理');
});
