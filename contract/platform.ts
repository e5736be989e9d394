import { z } from 'zod';
import { balanceFields } from './accounts.ts';
import { DrawPlan, drawPlanFilters } from './draw-plans.ts';
import { DrawRecord, drawRecordFilters } from './draw-records.ts';
import { command, query } from './endpoint.ts';
import { amount, id, money, optional, paged, pageOf, text } from './fields.ts';
import { nested, rows } from './list-fields.ts';
import { mailTemplate, mailVariables } from './mail-outbox.ts';
import {
  bankOrderNo,
  bizOrderNo,
  email,
  foreignOrderNo,
  fromAccountNo,
  fromName,
  gameId,
  paymentType,
  postedChangeType,
  userId,
} from './named-fields.ts';
import { newUser } from './users.ts';
import { receiveAccountInput } from './withdrawals.ts';

/** What its calls stand under in the API document. */
export const heading = '平台接口';

// The players' site calls these under /open/v1 with the platform key.

export const createUser = command('POST /users', {
  summary: '平台创建用户',
  about: '用户',
  body: 'json',
  input: z.object(newUser),
  output: userId,
  access: 'platform',
});

/**
 * Answers the order's id. A `bankOrderNo` seen before answers the first order's when all else is the same too, and is refused
 * otherwise.
 */
export const placeDeposit = command('POST /deposits', {
  summary: '平台提交充值订单',
  about: '充值订单',
  body: 'json',
  input: z.object({
    userId,
    amount: amount('金额'),
    type: paymentType('充值方式'),
    bankOrderNo,
    fromName: optional(fromName),
    fromAccountNo: optional(fromAccountNo),
    usdtAmount: optional(amount('USDT 数量')),
  }),
  output: id('订单编号'),
  access: 'platform',
});

/** Freezes the amount and answers the order's id. A `bankOrderNo` seen before is answered as in deposits. */
export const placeWithdrawal = command('POST /withdrawals', {
  summary: '平台提交提现订单',
  about: '提现订单',
  body: 'json',
  input: z.object({
    userId,
    amount: amount('金额'),
    receiveAccount: nested('收款账户', receiveAccountInput),
    type: optional(paymentType('提现方式')),
    bankOrderNo,
    usdtAmount: optional(amount('USDT 数量')),
  }),
  output: id('订单编号'),
  access: 'platform',
});

/** A movement the players' site may post. BET takes money out, the others bring it in. */
const entry = z.object({
  userId,
  changeType: postedChangeType,
  amount: amount('金额'),
  bizOrderNo: foreignOrderNo,
  desc: optional(text('备注', { max: 500 })),
});

/** A movement as it was posted: its row in the ledger and the total after it. */
export const PostedEntry = z.object({
  id: id(),
  bizOrderNo,
  changeType: postedChangeType,
  newAmount: money('账变后金额'),
});
export type PostedEntry = z.infer<typeof PostedEntry>;

/**
 * Posts all of these or none, and answers them in the order sent. A `bizOrderNo` with a `changeType` that were seen
 * together before answers what was posted then when all else is the same too, and is refused otherwise. Numbers that begin with
 * `B` are those of our own slips and refused. Of several it is told at which place, and under which number, the first is that cannot be
 * posted.
 */
export const postEntries = command('POST /entries', {
  summary: '平台提交账变',
  body: 'array',
  input: z.object({ entries: rows('账变', entry, { min: 1 }) }),
  output: z.array(PostedEntry),
  access: 'platform',
});

/** A user's balance as the players' site reads it, and what they have still to turn over before a withdrawal. */
export const UserBalance = z.object({ userId, ...balanceFields, turnoverRest: money('待完成流水') });
export type UserBalance = z.infer<typeof UserBalance>;

export const getUserBalance = query('GET /users/{id}/balance', {
  summary: '平台查询用户余额',
  body: 'none',
  input: z.object({ id: userId }),
  output: UserBalance,
  access: 'platform',
});

export const pageGamePlans = query('GET /games/{id}/plans', {
  summary: '平台查询开奖计划',
  body: 'none',
  input: paged(drawPlanFilters).extend({ id: gameId }),
  output: pageOf(DrawPlan),
  access: 'platform',
});

export const pageGameRecords = query('GET /games/{id}/records', {
  summary: '平台查询开奖记录',
  body: 'none',
  input: paged(drawRecordFilters).extend({ id: gameId }),
  output: pageOf(DrawRecord),
  access: 'platform',
});

/** Queues one of the six mails of the active config; `variables` fill its `{{name}}` places. */
export const sendTemplateMail = command('POST /mails', {
  summary: '平台发送邮件',
  about: '邮件发送记录',
  body: 'json',
  input: z.object({
    template: mailTemplate,
    to: email,
    variables: optional(mailVariables),
  }),
  output: z.literal(true),
  access: 'platform',
});
