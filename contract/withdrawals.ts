import { z } from 'zod';
import { orderFields, orderFilters, orderSums, orderTotals } from './deposits.ts';
import { command, granted, query } from './endpoint.ts';
import {
  choice,
  dateTime,
  endTells,
  filters,
  flag,
  money,
  optional,
  paged,
  pageOf,
  sorts,
  text,
} from './fields.ts';
import { fromAccountNo, fromName, paymentType, remark } from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '提现订单';

const screen = '/main/user/withdraw-record';
const type = paymentType('提现方式');
const accountNo = endTells(text('收款账号', { max: 100 }));
const realName = text('收款人姓名', { max: 50 });
const alias = text('收款账户别名', { max: 50 });

/** Where a withdrawal goes, as the platform's site sends it. */
export const receiveAccountInput = z.object({
  accountNo,
  realName: optional(realName),
  alias: optional(alias),
});

export const ReceiveAccount = z.object({
  accountNo,
  realName: realName.nullable(),
  alias: alias.nullable(),
});
export type ReceiveAccount = z.infer<typeof ReceiveAccount>;

/**
 * Money a player wants paid out; frozen since the order was placed. `successTime` is when it was paid. `balanceRejected` is the account's total
 * once it were rejected: what is given back pays off what is owed first. `submitted` tells that its payment waits for a second operator: until that
 * is decided, nobody can mark it.
 */
export const Withdrawal = z.object({
  ...orderFields,
  type: type.nullable(),
  receiveAccount: ReceiveAccount.meta({ title: '收款账户' }),
  balanceRejected: money('拒绝后余额').nullable(),
  submitted: flag('打款待复核'),
  successTime: dateTime('打款时间').nullable(),
});
export type Withdrawal = z.infer<typeof Withdrawal>;

export const sumWithdrawals = query('POST /user/withdrawRecord/sum', {
  summary: '合计提现订单',
  body: 'form',
  input: filters({ ...orderFilters, type }),
  output: orderSums,
  access: granted(screen),
});

export const pageWithdrawals = query('POST /user/withdrawRecord/page', {
  summary: '分页查询提现订单',
  body: 'form',
  input: paged({ ...orderFilters, type, sort: sorts('id', 'amount', 'createTime') }),
  output: pageOf(Withdrawal),
  access: granted(screen),
  sums: { call: sumWithdrawals, totals: orderTotals },
});

/**
 * PAID takes the frozen amount out of the account and may tell who paid from which account; REJECT unfreezes it and must say why in
 * `remark`.
 */
export const markWithdrawal = command('POST /user/withdrawRecord/mark', {
  summary: '标记提现订单',
  body: 'json',
  input: z.object({
    id: ref('withdrawal', '订单编号'),
    action: choice('处理结果', { PAID: '已打款', REJECT: '拒绝' }),
    fromName: optional(fromName),
    fromAccountNo: optional(fromAccountNo),
    remark: optional(remark),
  }),
  output: z.literal(true),
  access: granted(screen),
  stepUp: { when: ({ action }) => action === 'PAID' },
  approval: { when: 'withdrawalAbove', by: 'approval:release:money' },
});
