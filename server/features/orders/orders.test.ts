import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageDeposits, reviewDeposit } from '#contract/deposits.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { foldCounts } from '#server/db/counted-list.ts';
import { answered } from '#server/testing/answered.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { post } from '../ledger/ledger-store.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

const deposit = async (
  userId: number,
  amount = '100',
  type: 'BANK_TRANSFER' | 'THIRD_PARTY' = 'BANK_TRANSFER',
) => {
  const order = {
    userId,
    amount,
    type,
    bankOrderNo: randomUUID(),
    fromName: '张三',
    fromAccountNo: '6222 0001',
  };
  return given((await site.call(placeDeposit, order)).envelope.data);
};
const withdrawal = async (userId: number, amount: string) =>
  (
    await site.call(placeWithdrawal, {
      userId,
      amount,
      bankOrderNo: randomUUID(),
      receiveAccount: { accountNo: '6222', alias: '工资卡' },
    })
  ).envelope;

describe('deposits', () => {
  it('PASS credits once and keeps who decided, when and why', async () => {
    const { userId, username } = await buildUser(server.db, { balance: '1.5' });
    const id = await deposit(userId, '100.25');
    const [before] = (await admin.call(pageDeposits, { id })).envelope.data?.data ?? [];
    expect(before).toMatchObject({
      id,
      userId,
      username,
      amount: '100.25',
      status: 'PROCESSING',
      successTime: null,
      reviewer: null,
      balanceBefore: '1.50',
      balanceAfter: '101.75',
    });
    const answer = await admin.call(reviewDeposit, { id, action: 'PASS', remark: '已到账' });
    expect(answer.envelope).toEqual({ success: true, msg: '操作成功', data: true, code: 200 });
    const [after] = (await admin.call(pageDeposits, { id })).envelope.data?.data ?? [];
    expect(after).toMatchObject({
      status: 'SUCCESS',
      reviewer: 'admin',
      remark: '已到账',
      balanceBefore: null,
    });
    expect(after?.successTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(after?.reviewTime).toBe(after?.successTime);
    const [row] = (await admin.call(pageAccountHistory, { userId })).envelope.data?.data ?? [];
    expect(row).toMatchObject({
      changeType: 'RECHARGE',
      direction: 'IN',
      amount: '100.25',
      bizOrderNo: String(id),
    });
    const again = await admin.call(reviewDeposit, { id, action: 'REJECT' });
    expect(again.envelope).toMatchObject({ success: false, code: 400, msg: '该订单已处理' });
  });

  it('tell what is left of them once the debt is paid off that they come upon', async () => {
    const { userId } = await buildUser(server.db, { balance: '10' });
    const reversal = { changeType: 'WIN_REVERSAL', amount: '40', bizOrderNo: 'B1/2', desc: null } as const;
    await server.db.transaction().execute((tx) => post(tx, { userId, ...reversal, source: 'OWING' }));
    for (const [amount, after] of [
      ['20', '0.00'],
      ['25.5', '15.50'],
    ] as const) {
      const id = await deposit(userId, amount);
      const [told] = (await admin.call(pageDeposits, { id })).envelope.data?.data ?? [];
      expect(told).toMatchObject({ balanceBefore: '0.00', balanceAfter: after });
      await admin.call(reviewDeposit, { id, action: 'PASS' });
      expect((await balanceOf(server.db, userId)).totalAmount).toBe(after);
    }
  });

  it('REJECT fails the order and moves nothing; an unknown order and another action are refused', async () => {
    const { userId } = await buildUser(server.db);
    const id = await deposit(userId);
    const unexplained = await admin.call(reviewDeposit, { id, action: 'REJECT' });
    expect(unexplained.envelope).toMatchObject({
      success: false,
      code: 400,
      data: { errors: { remark: '拒绝订单须填写原因' } },
    });
    const [waiting] = (await admin.call(pageDeposits, { id })).envelope.data?.data ?? [];
    expect(waiting).toMatchObject({ status: 'PROCESSING', reviewer: null });
    const reject = { id, action: 'REJECT', remark: '付款人不符' } as const;
    expect((await admin.call(reviewDeposit, reject)).envelope.success).toBe(true);
    const [row] = (await admin.call(pageDeposits, { id })).envelope.data?.data ?? [];
    expect(row).toMatchObject({ status: 'FAIL', successTime: null, reviewer: 'admin' });
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('0.00');
    expect((await admin.call(reviewDeposit, { id: 99_999_999, action: 'PASS' })).envelope.msg).toBe(
      '记录不存在',
    );
    const odd = await admin.call(reviewDeposit, { id, action: 'PAID' as 'PASS' });
    expect(odd.envelope).toMatchObject({ success: false, msg: '审核结果不是可选的值' });
  });

  it('20 orders x 20 concurrent decisions: one effect each, the rest are told 该订单已处理', {
    retry: 0,
  }, async () => {
    const { userId } = await buildUser(server.db);
    const ids = await Promise.all(Array.from({ length: 20 }, () => deposit(userId, '1')));
    const answers = await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: 20 }, (_, i) =>
          answered(admin, reviewDeposit, { id, action: i % 2 ? 'PASS' : 'REJECT', remark: '并发' }),
        ),
      ),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(20);
    const lost = answers.filter(({ success }) => !success).map(({ code, msg }) => `${code} ${msg}`);
    expect(new Set(lost)).toEqual(new Set(['400 该订单已处理']));
    const passed =
      (await admin.call(pageDeposits, { userId, status: 'SUCCESS' })).envelope.data?.totalCount ?? -1;
    expect((await balanceOf(server.db, userId)).totalAmount).toBe(`${passed}.00`);
    expect((await admin.call(pageAccountHistory, { userId })).envelope.data?.totalCount).toBe(passed);
  });

  it('are found by number, bank number, user, type, status and time, with exact totals before and after folding', async () => {
    const { userId, username } = await buildUser(server.db);
    const ids = await Promise.all([
      deposit(userId, '1'),
      deposit(userId, '2', 'THIRD_PARTY'),
      deposit(userId, '3'),
    ]);
    await admin.call(reviewDeposit, { id: given(ids[0]), action: 'PASS' });
    const found = async (filter: Parameters<typeof admin.call<typeof pageDeposits>>[1]) => {
      const { totalCount, data } = (await admin.call(pageDeposits, filter)).envelope.data ?? {
        totalCount: -1,
        data: [],
      };
      expect(data.length).toBe(Math.min(totalCount, 20));
      return totalCount;
    };
    const counts = async () => [
      await found({ username }),
      await found({ username: username.slice(1, -1).toUpperCase() }),
      await found({ username: username.slice(1), status: 'PROCESSING' }),
      await found({ userId, type: 'THIRD_PARTY' }),
      await found({ userId, status: 'PROCESSING' }),
      await found({ id: given(ids[1]), username }),
      await found({ username: 'nobody' }),
      (await found({ status: 'SUCCESS' })) +
        (await found({ status: 'FAIL' })) +
        (await found({ status: 'PROCESSING' })) -
        (await found({})),
      (await found({ type: 'THIRD_PARTY' })) + (await found({ type: 'BANK_TRANSFER' })) - (await found({})),
      await found({ createTimeRange: ['2000-01-01 00:00:00', '2001-01-01 00:00:00'] }),
      (await found({ createTimeRange: ['2000-01-01 00:00:00', '2999-01-01 00:00:00'] })) - (await found({})),
      await found({
        status: 'PROCESSING',
        type: 'THIRD_PARTY',
        createTimeRange: ['2000-01-01 00:00:00', '2999-01-01 12:30:00'],
      }),
    ];
    const exact = [3, 3, 2, 1, 2, 1, 0, 0, 0, 0, 0, 1];
    expect(await counts()).toEqual(exact);
    await foldCounts(server.db);
    expect(await counts()).toEqual(exact);
  });
});

describe('withdrawals', () => {
  it('freeze when placed; PAID takes the money out, REJECT gives it back', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const paid = given((await withdrawal(userId, '30.5')).data);
    const rejected = given((await withdrawal(userId, '20')).data);
    expect(await balanceOf(server.db, userId)).toEqual({
      totalAmount: '100.00',
      availableAmount: '49.50',
      freezeAmount: '50.50',
    });
    expect((await admin.call(pageAccountHistory, { userId })).envelope.data?.totalCount).toBe(1);
    const [row] = (await admin.call(pageWithdrawals, { id: paid })).envelope.data?.data ?? [];
    expect(row).toMatchObject({
      receiveAccount: { accountNo: '6222', realName: null, alias: '工资卡' },
      balanceBefore: '100.00',
      balanceAfter: '69.50',
      balanceRejected: '100.00',
    });
    expect(
      (await admin.call(markWithdrawal, { id: paid, action: 'PAID', remark: '转账 1' })).envelope.data,
    ).toBe(true);
    const unexplained = await admin.call(markWithdrawal, { id: rejected, action: 'REJECT' });
    expect(unexplained.envelope).toMatchObject({
      success: false,
      data: { errors: { remark: '拒绝订单须填写原因' } },
    });
    expect(await balanceOf(server.db, userId)).toMatchObject({ freezeAmount: '20.00' });
    const reject = { id: rejected, action: 'REJECT', remark: '收款账号有误' } as const;
    expect((await admin.call(markWithdrawal, reject)).envelope.data).toBe(true);
    expect(await balanceOf(server.db, userId)).toEqual({
      totalAmount: '69.50',
      availableAmount: '69.50',
      freezeAmount: '0.00',
    });
    const [last] = (await admin.call(pageAccountHistory, { userId })).envelope.data?.data ?? [];
    expect(last).toMatchObject({
      changeType: 'WITHDRAW',
      direction: 'OUT',
      bizOrderNo: String(paid),
      newAmount: '69.50',
    });
    expect((await admin.call(markWithdrawal, { id: rejected, action: 'PAID' })).envelope.msg).toBe(
      '该订单已处理',
    );
  });

  it('keep who paid them and from which account, when they are marked as paid', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const paid = given((await withdrawal(userId, '30')).data);
    const rejected = given((await withdrawal(userId, '20')).data);
    const payer = { fromName: '王会计', fromAccountNo: '6222 0200 1234' };
    const refused = await admin.call(markWithdrawal, {
      id: rejected,
      action: 'REJECT',
      remark: '账号有误',
      ...payer,
    });
    expect(refused.envelope).toMatchObject({
      success: false,
      data: { errors: { fromName: '拒绝时不能填写付款人' } },
    });
    const tooLong = { ...payer, fromName: '长'.repeat(51) };
    expect(
      (await admin.call(markWithdrawal, { id: paid, action: 'PAID', ...tooLong })).envelope.success,
    ).toBe(false);
    expect((await admin.call(markWithdrawal, { id: paid, action: 'PAID', ...payer })).envelope.success).toBe(
      true,
    );
    await admin.call(markWithdrawal, { id: rejected, action: 'REJECT', remark: '账号有误' });
    // Decided is decided: who paid cannot be changed either.
    expect(
      (await admin.call(markWithdrawal, { id: paid, action: 'PAID', fromName: '别人' })).envelope.msg,
    ).toBe('该订单已处理');
    const { data } = (await admin.call(pageWithdrawals, { userId })).envelope;
    expect(data?.data).toMatchObject([
      { id: rejected, status: 'FAIL', fromName: null, fromAccountNo: null },
      { id: paid, status: 'SUCCESS', ...payer },
    ]);
    const headers = {
      accept: 'text/csv',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${admin.token}`,
    };
    const file = await fetch(`${server.origin}/api/user/withdrawRecord/page`, {
      method: 'POST',
      headers,
      body: `userId=${userId}`,
    });
    expect(await file.text()).toContain('王会计,6222 0200 1234');
  });

  it('beyond what is available are refused and leave no order', { retry: 0 }, async () => {
    const { userId } = await buildUser(server.db, { balance: '10' });
    expect(await withdrawal(userId, '10.0001')).toMatchObject({ success: false, msg: '可用余额不足' });
    expect((await admin.call(pageWithdrawals, { userId })).envelope.data?.totalCount).toBe(0);
    const race = await Promise.all(Array.from({ length: 8 }, () => withdrawal(userId, '4')));
    expect(race.filter(({ success }) => success)).toHaveLength(2);
    expect(await balanceOf(server.db, userId)).toMatchObject({
      availableAmount: '2.00',
      freezeAmount: '8.00',
    });
  });

  it('prove together with everything else', async () => {
    await expectProven(server.db);
  });
});
