import { z } from 'zod';
import { orderFields } from './deposits.ts';
import { command, granted, query } from './endpoint.ts';
import { choice, dateTime, filters, flag, integer, money, optional, text, wordOf } from './fields.ts';
import { rows } from './list-fields.ts';
import {
  agentId,
  level,
  orderId,
  orderStatus,
  paymentType,
  realName,
  userId,
  username,
} from './named-fields.ts';
import { ReceiveAccount } from './withdrawals.ts';

/** What its calls stand under in the API document. */
export const heading = '资金工作台';

const screen = '/main/user/money-desk';

/** Orders of both kinds wait in one queue; each operator sees those they may decide. */
export const orderKind = choice('订单种类', { DEPOSIT: '充值', WITHDRAWAL: '提现' });
export type OrderKind = z.infer<typeof orderKind>;
/** Whose rows the orders of each kind are. */
const orderHeadings = { field: 'kind', headings: { DEPOSIT: '充值订单', WITHDRAWAL: '提现订单' } };
const key = { kind: orderKind, id: orderId };
const OrderKey = z.object(key);
export type OrderKey = z.infer<typeof OrderKey>;

/** What an order is called. */
export const orderName = ({ kind, id }: OrderKey): string => `${wordOf(orderKind, kind)}订单 ${id}`;

const type = paymentType('支付方式').nullable();
const count = integer('笔数', { min: 0 });
/** Who has taken an order; a take that has run out is none. */
const take = {
  taker: text('处理人').nullable(),
  takenUntil: dateTime('领取至').nullable(),
  own: flag('由本人处理'),
};

/**
 * An order that waits. `left` are the seconds until it was promised to be decided, below zero once that is past; null where nothing is
 * promised. `submitted` tells that somebody decided it, and that this waits for a second operator.
 */
export const DeskItem = z.object({
  ...key,
  userId,
  username: username.nullable(),
  amount: money('金额'),
  type,
  createTime: orderFields.createTime,
  age: integer('已等待秒数', { min: 0 }),
  left: integer('距承诺秒数').nullable(),
  ...take,
  submitted: flag('待复核'),
});
export type DeskItem = z.infer<typeof DeskItem>;

/** How many orders wait in all, and the hundred of them that were promised first. */
export const MoneyDesk = z.object({
  deposits: count.nullable(),
  withdrawals: count.nullable(),
  orders: z.array(DeskItem),
});
export type MoneyDesk = z.infer<typeof MoneyDesk>;

export const getMoneyDesk = query('POST /user/moneyDesk/queue', {
  summary: '查询待处理订单',
  body: 'form',
  input: filters({ kind: orderKind }),
  output: MoneyDesk,
  access: granted(screen),
});

const PastOrder = z.object({
  ...key,
  amount: money('金额'),
  status: orderStatus,
  createTime: orderFields.createTime,
  reviewer: orderFields.reviewer,
  remark: orderFields.remark,
});

/** What was bet since a player's last paid deposit: `stake` less what was given back. `more` tells that there was more than is added up. */
const SinceDeposit = z.object({
  id: orderId,
  amount: money('充值金额'),
  time: dateTime('充值时间'),
  slips: integer('注单数', { min: 0 }),
  stake: money('投注额'),
  payout: money('派彩'),
  pending: money('未结算投注额'),
  more: flag('另有更早的注单'),
});

/** Everything needed to decide an order. `limits` are the parameters of such orders, null where there is none. */
export const DeskOrder = z.object({
  kind: orderKind,
  order: z.object({ ...orderFields, type, receiveAccount: ReceiveAccount.nullable() }),
  ...take,
  submitted: flag('待复核'),
  player: z.object({
    realName: realName.nullable(),
    level,
    agentId: agentId.nullable(),
    createTime: dateTime('注册时间'),
    frozen: flag('投注状态', ['已冻结', '正常']),
    freezeReason: text('冻结原因').nullable(),
    excludedUntil: dateTime('自我禁投至').nullable(),
    testAccount: flag('测试账号', ['测试', '真实']),
  }),
  account: z.object({
    totalAmount: money('账户总金额'),
    availableAmount: money('可用余额'),
    freezeAmount: money('冻结金额'),
    debt: money('欠款'),
  }),
  paid: z.object({ deposits: money('累计充值'), withdrawals: money('累计提现') }),
  last: z.array(PastOrder).meta({ title: '最近订单' }),
  sinceDeposit: SinceDeposit.nullable(),
  turnoverRest: money('待完成流水'),
  limits: z.object({
    lowest: money('最低金额').nullable(),
    highest: money('最高金额').nullable(),
    /** Where a decision of this order waits for a second operator. */
    approval: flag('须复核'),
  }),
  /** What operators often give as reason for a rejection. */
  reasons: z.array(text('常用原因')).meta({ title: '常用原因' }),
});
export type DeskOrder = z.infer<typeof DeskOrder>;

export const getDeskOrder = query('POST /user/moneyDesk/order', {
  summary: '查询待处理订单的详情',
  body: 'form',
  input: OrderKey,
  output: DeskOrder,
  access: granted(screen),
});

/** So many orders can be left out at once. */
export const MOST_PASSED = 100;

/**
 * Takes the order that was promised first of those that nobody has taken and that wait for no second operator; null when there is none.
 * `passed` are orders that are to be left out.
 */
export const takeNextOrder = command('POST /user/moneyDesk/next', {
  summary: '领取下一笔订单',
  about: orderHeadings,
  body: 'json',
  input: z.object({
    kind: optional(orderKind),
    passed: optional(rows('跳过的订单', OrderKey, { max: MOST_PASSED })),
  }),
  output: z.object({ order: OrderKey.nullable() }),
  access: granted(screen),
});

/** Takes this order, or keeps one's own for longer. One that somebody else has taken is taken over with `over` alone. */
export const takeOrder = command('POST /user/moneyDesk/take', {
  summary: '领取订单',
  about: orderHeadings,
  body: 'json',
  input: z.object({ ...key, over: optional(flag('接手')) }),
  output: z.literal(true),
  access: granted(screen),
});

/** Puts back what one has taken; nothing becomes of an order that one has not. */
export const putBackOrder = command('POST /user/moneyDesk/putBack', {
  summary: '放回订单',
  about: orderHeadings,
  body: 'json',
  input: OrderKey,
  output: z.literal(true),
  access: granted(screen),
});
