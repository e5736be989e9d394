import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { by, choice, dateTime, filters, money, optional, paged, pageOf, sorts, text } from './fields.ts';
import {
  bankOrderNo,
  createTime,
  createTimeRange,
  fromAccountNo,
  fromName,
  orderId,
  orderStatus,
  paymentType,
  remark,
  userId,
  username,
} from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '充值订单';

const screen = '/main/user/deposit-record';
const type = paymentType('充值方式');

/**
 * What deposits and withdrawals have in common. `reviewer`, `reviewTime` and `remark` tell who decided it and why; while
 * it is undecided, the two balances tell the account's total now and once the order is passed or paid.
 */
export const orderFields = {
  id: orderId,
  userId,
  username: username.nullable(),
  amount: money('金额'),
  usdtAmount: money('USDT 数量').nullable(),
  bankOrderNo: bankOrderNo.nullable(),
  fromName: fromName.nullable(),
  fromAccountNo: fromAccountNo.nullable(),
  status: orderStatus,
  createTime,
  reviewer: text('审核人').nullable(),
  reviewTime: dateTime('审核时间').nullable(),
  remark: remark.nullable(),
  /** Who has taken it at the money desk, while it is theirs. */
  taker: text('处理人').nullable(),
  balanceBefore: money('当前余额').nullable(),
  balanceAfter: money('处理后余额').nullable(),
};

/** What orders are searched by, beside their type. */
export const orderFilters = {
  id: orderId,
  bankOrderNo: by('whole', bankOrderNo),
  userId,
  username,
  status: orderStatus,
  createTimeRange,
};

/** Money a player says to have paid in. `successTime` is when it was credited. */
export const Deposit = z.object({ ...orderFields, type, successTime: dateTime('支付时间').nullable() });
export type Deposit = z.infer<typeof Deposit>;

/** What orders come to, by the names of their fields. */
export const orderSums = z.object({ amount: money('金额'), usdtAmount: money('USDT 数量') });
export const orderTotals = {
  amount: { label: '金额', field: 'amount' },
  usdtAmount: { label: 'USDT 数量', field: 'usdtAmount' },
};

export const sumDeposits = query('POST /user/depositRecord/sum', {
  summary: '合计充值订单',
  body: 'form',
  input: filters({ ...orderFilters, type }),
  output: orderSums,
  access: granted(screen),
});

export const pageDeposits = query('POST /user/depositRecord/page', {
  summary: '分页查询充值订单',
  body: 'form',
  input: paged({ ...orderFilters, type, sort: sorts('id', 'amount', 'createTime') }),
  output: pageOf(Deposit),
  access: granted(screen),
  sums: { call: sumDeposits, totals: orderTotals },
});

/** PASS credits the account, REJECT fails the order and must say why in `remark`. */
export const reviewDeposit = command('POST /user/depositRecord/review', {
  summary: '审核充值订单',
  body: 'json',
  input: z.object({
    id: ref('deposit', '订单编号'),
    action: choice('审核结果', { PASS: '通过', REJECT: '拒绝' }),
    remark: optional(remark),
  }),
  output: z.literal(true),
  access: granted(screen),
  stepUp: { when: ({ action }) => action === 'PASS' },
});
