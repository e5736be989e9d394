import { z } from 'zod';
import { ApprovalState } from './approvals.ts';
import { query } from './endpoint.ts';
import {
  choice,
  dateTime,
  id,
  integer,
  longText,
  money,
  nothing,
  range,
  signedMoney,
  text,
} from './fields.ts';
import { gameId, openTime, phase } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '数据概览';

const count = integer('笔数', { min: 0 });
const Orders = z.object({ count, amount: money('金额') });
/** The same figure over four spans: today, yesterday to this hour, this month, last month to this day and hour. */
const spans = <S extends z.ZodType>(figure: S) =>
  z.object({ today: figure, yesterday: figure, month: figure, lastMonth: figure });

/** Orders still to be decided: how many, how much, and the oldest one's time and age in seconds. */
const Waiting = z.object({
  count,
  amount: money('金额'),
  since: dateTime('最早提交时间').nullable(),
  seconds: integer('已等待秒数', { min: 0 }),
});
const OrderFigures = spans(Orders).extend({ waiting: Waiting });

/** A phase that cannot be opened, drawn or promised; at most twenty are told. */
const DrawAlarm = z.object({
  gameId,
  gameName: text('游戏名称'),
  phase,
  endTime: openTime,
  reason: told(longText('开奖告警')),
});

/** A day that the evening could not plan for a game; why is told by who generates it. */
const UnplannedDay = z.object({
  gameId,
  gameName: text('游戏名称'),
  day: z.string().meta({ title: '日期' }),
});

/** At most twenty of them are told by name. */
const FailingSpider = z.object({
  id: id(),
  gameId,
  gameName: text('游戏名称'),
  name: text('采集名称'),
  consecutiveFailures: integer('连续失败次数', { min: 0 }),
  lastError: told(longText('最近错误')).nullable(),
});

/** What the nightly proof of all bets found wrong; at most twenty of it are told. */
const BrokenProof = z.object({
  day: z.string().meta({ title: '复算日期' }),
  slips: count,
  broken: count,
  problems: told(z.array(z.string()).meta({ title: '不符之处' })),
});

/** Settlements that wait for a person, and the big wins of them that wait to be let go. */
const HeldSettlements = z.object({ count, bigWins: count });

/** The day whose rebates are worked out and wait to be released, and what it pays in all. */
const PreparedRebates = z.object({ day: z.string().meta({ title: '平台日' }), amount: money('金额') });

const Day = z.object({
  day: z.string().meta({ title: '日期' }),
  deposits: money('充值').nullable(),
  withdrawals: money('提现').nullable(),
  net: signedMoney('净额').nullable(),
  players: count.nullable(),
});

/** What keeps a read replica from being read; queries are answered by the primary meanwhile. */
export const replicaTroubles = {
  unreachable: '没有响应',
  promoted: '不再是只读副本',
  foreign: '属于另一个数据库',
} as const;

/**
 * What an operator looks at first. A part is null for operators who may not open the list behind it. Orders count on the
 * day they were placed, as their lists filter them; only paid ones count as money moved.
 */
export const Overview = z.object({
  time: dateTime('统计时间'),
  today: range('今日'),
  month: range('本月'),
  deposits: OrderFigures.nullable(),
  withdrawals: OrderFigures.nullable(),
  net: spans(signedMoney('净额')).nullable(),
  players: spans(count).extend({ total: count }).nullable(),
  plans: z
    .object({ upcoming: count, opening: count, late: count, unplanned: z.array(UnplannedDay) })
    .nullable(),
  alarms: z.object({ count, phases: z.array(DrawAlarm) }).nullable(),
  conflicts: count.nullable(),
  spiders: z.object({ enabled: count, failingCount: count, failing: z.array(FailingSpider) }).nullable(),
  settlements: HeldSettlements.nullable(),
  /** Null also while none waits. */
  rebates: PreparedRebates.nullable(),
  /** Null also when the last one found nothing wrong. */
  betsProof: BrokenProof.nullable(),
  /** Null also when all is well, and where there is none. */
  replica: choice('只读副本', replicaTroubles).nullable(),
  /** What the parts of the background work do that fail or owe for too long at the server that answers; null also when all is well. */
  background: told(z.array(z.string()).meta({ title: '后台工作的故障' })).nullable(),
  /** Places that somebody signed in from as this operator for the first time, until the operator takes note; null without any. */
  newAddresses: count.nullable(),
  approvals: ApprovalState.nullable(),
  days: z.array(Day),
});
export type Overview = z.infer<typeof Overview>;

export const getOverview = query('GET /analysis/overview', {
  summary: '查询数据概览',
  body: 'none',
  input: nothing,
  output: Overview,
  access: 'signed-in',
});
