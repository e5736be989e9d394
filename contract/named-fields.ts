import { z } from 'zod';
import {
  calendarDay,
  choice,
  dateTime,
  decimal,
  endTells,
  flag,
  id,
  integer,
  longText,
  metaOf,
  optional,
  range,
  text,
} from './fields.ts';
import { halfWidth, isAllSeen } from './number-text.ts';
import { namesNoun, namesRow, ref } from './ref.ts';

/** Fields that several nouns carry, labelled once, so that one thing has one word on every screen. */
export const createDate = dateTime('创建时间');
export const editDate = dateTime('编辑时间');
export const createDateRange = range('创建时间');
export const createTime = dateTime('创建时间');
export const createTimeRange = range('创建时间');
/** When slips were placed. */
export const betTimeRange = range('投注时间');
export const remark = text('备注', { max: 500 });
/** The version of a row, from 1. An edit that names the version it was made from is refused once there is a later one. */
export const version = integer('版本', { min: 1 }).meta({ title: '版本', kind: 'version' });
export const seenVersion = optional(version);

export const gameId = ref('game', '游戏');
/** The number of one draw of one game. Text, because leading zeros count. */
export const phase = text('期号', { max: 30 });
export const openTime = dateTime('开奖时间');
/** Seconds from one draw to the next. */
export const openRate = integer('开奖间隔秒数', { min: 1 });
/** How many sources must agree before what they say is a result. */
export const agreeSources = integer('一致来源数', { min: 1, max: 20 });
/**
 * A number of a game as it is printed: `01` stays `01`. Full width is made half width and invisible characters are refused, since such a
 * number would never be drawn.
 */
export const printedNumber = (label: string) =>
  text(label, { max: 30 }).overwrite(halfWidth).refine(isAllSeen, { error: '含有看不见的字符' });
export const number = printedNumber('号码');
export const numberId = ref('gameNumber', '号码');

/** Whether betting on a play way or number is stopped, while it stays listed. */
export const stopped = flag('停押', ['已停押', '可投注']);

/** The name an operator signs in by. */
export const operatorName = namesNoun(text('操作员', { max: 50 }), 'operator');
/** Where a call came from, as a network address. */
export const callerAddress = text('来源地址', { max: 100 });
export const LONGEST_AGENT = 300;
/** What a caller's program calls itself. */
export const userAgent = text('浏览器', { min: 0, max: LONGEST_AGENT });
/**
 * Whether a row is, or holds, more than its reader does: then the reader may change nothing of it and grant none of it. Of an operator or a role
 * it is a menu that the reader lacks; of a menu, that the reader does not hold it.
 */
export const outranks = flag('权限范围', ['超出自己', '不超出自己']);
/** Whether a seal is over a row already, some seconds after it was written. */
export const sealed = flag('封存', ['已封存', '未封存']);

export const userId = ref('user', '用户编号');
export const username = namesRow(text('用户名', { max: 50 }), 'user', 'userId');
export const nickName = namesRow(text('昵称', { max: 50 }), 'user', 'userId');
export const realName = text('真实姓名', { max: 50 });
export const agentId = ref('agent', '代理编号');
/** The greatest agent id that may be chosen; greater ones are left for ids that the database gives. */
export const MOST_AGENT_ID = 999_999_999_999;
/** As `agentId` for a player, whose agent need not exist yet. */
export const givenAgentId = id('代理编号', { max: MOST_AGENT_ID }).meta(metaOf(agentId));
/** The user who invited this one. */
export const parentId = ref('user', '上级编号');
export const phone = text('手机号', { max: 30 });
export const email = text('邮箱', { max: 254 });
export const level = integer('等级', { min: 0, max: 1000 });

const postedChanges = {
  BET: '投注',
  WIN: '中奖',
  RETURN: '返点',
  REBATE: '返水',
  RECHARGE_GIVE: '充值赠送',
} as const;
const inviteChanges = { INVITE_REWARD: '邀请奖励' } as const;
/** Why a balance moved. */
export const changeType = choice('账变类型', {
  RECHARGE: '充值',
  WITHDRAW: '提现',
  ...postedChanges,
  MANUAL_ADDITION: '人工加款',
  MANUAL_DEDUCTION: '人工扣款',
  ...inviteChanges,
  BET_REFUND: '投注退还',
  WIN_REVERSAL: '中奖收回',
  REFUND_REVERSAL: '退还收回',
  DEBT_REPAYMENT: '偿还欠款',
});
/** The change types by which money leaves an account; by all others it comes in. */
export const outgoingChanges: readonly (typeof changeType.options)[number][] = [
  'WITHDRAW',
  'BET',
  'MANUAL_DEDUCTION',
  'WIN_REVERSAL',
  'REFUND_REVERSAL',
  'DEBT_REPAYMENT',
];
/** The change types that the players' site posts; the others come from orders and operators. */
export const postedChangeType = choice('账变类型', { ...postedChanges, ...inviteChanges });
export const bizOrderNo = endTells(text('业务单号', { max: 100 }));
/** The business number of a movement from outside; those that begin with B are reserved for our own slips. */
export const foreignOrderNo = bizOrderNo.refine((value) => !value.startsWith('B'), {
  error: '不能以 B 开头（保留给本平台的注单）',
});

/** How an order is paid. */
export const paymentType = (label: string) =>
  choice(label, { BANK_TRANSFER: '银行转账', USDT_TRANSFER: 'USDT 转账', THIRD_PARTY: '三方支付' });
/** Only an order in PROCESSING can still be decided, and exactly once. */
export const orderStatus = choice('状态', { SUCCESS: '成功', FAIL: '失败', PROCESSING: '处理中' });
export const orderId = id('订单编号');
export const bankOrderNo = endTells(text('三方单号', { max: 100 }));
export const fromName = text('付款人姓名', { max: 50 });
export const fromAccountNo = endTells(text('付款账号', { max: 100 }));

/** How many rows a command changed; true instead of 0, because callers take a falsy answer for a failure. */
export const changedCount = z.union([z.int().min(1), z.literal(true)]);

const SHORTEST_REASON = 4;
/** The reason for an act that is kept for good. */
export const reason = (label: string) =>
  longText(label, { min: SHORTEST_REASON, max: 500 }).overwrite((value) => value.trim());

/** A day of the platform, as it reckons draws and slips, of the years 1900 to 2999. */
export const day = (label: string) => calendarDay(label, '3000');

/** A share of turnover: 0.005 is half a percent. */
export const share = (label: string) =>
  decimal(label, { scale: 6 }).refine((value) => /^0*(?:\.|$)/.test(value), {
    error: '须小于 1，如 0.005 为千分之五',
  });
