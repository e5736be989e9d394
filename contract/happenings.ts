import { z } from 'zod';
import { pageApprovals } from './approvals.ts';
import { pageDeposits } from './deposits.ts';
import { pageDrawPlans } from './draw-plans.ts';
import { pageDrawRecords } from './draw-records.ts';
import { type AnyEndpoint, query } from './endpoint.ts';
import { choice, flag, id, integer, optional, text } from './fields.ts';
import { gameId, userId } from './named-fields.ts';
import type { ScreenPath } from './screens.ts';
import { pageSettlements } from './settlements.ts';
import { pageSpiders } from './spiders.ts';
import { pageWithdrawals } from './withdrawals.ts';

/** What its calls stand under in the API document. */
export const heading = '实时消息';

/** A list that operators are told about while they look elsewhere. */
export interface LiveList {
  /** Whoever may make this call is told. */
  readonly list: AnyEndpoint;
  readonly screen: ScreenPath;
  /** The search of the list that leaves the rows that wait for somebody. */
  readonly waiting: Readonly<Record<string, string>>;
  /** What such rows are called. */
  readonly words: string;
}

const lists = {
  deposit: {
    list: pageDeposits,
    screen: '/main/user/deposit-record',
    waiting: { status: 'PROCESSING' },
    words: '笔充值待审核',
  },
  withdrawal: {
    list: pageWithdrawals,
    screen: '/main/user/withdraw-record',
    waiting: { status: 'PROCESSING' },
    words: '笔提现待处理',
  },
  approval: {
    list: pageApprovals,
    screen: '/main/system/approval',
    waiting: { status: 'PENDING' },
    words: '项待复核',
  },
  drawPlan: {
    list: pageDrawPlans,
    screen: '/main/game/open-plan',
    waiting: { overdue: 'YES' },
    words: '期开奖逾期',
  },
  drawRecord: {
    list: pageDrawRecords,
    screen: '/main/game/open-record',
    waiting: { conflict: 'true' },
    words: '期结果冲突',
  },
  spider: {
    list: pageSpiders,
    screen: '/main/game/spider',
    waiting: { failing: 'YES' },
    words: '个采集失败',
  },
  settlement: {
    list: pageSettlements,
    screen: '/main/bet/settlement',
    waiting: { status: 'HELD' },
    words: '项结算待处理',
  },
} as const satisfies Readonly<Record<string, LiveList>>;

/** The nouns whose rows operators are told of. */
export type LiveNoun = keyof typeof lists;
/** Every live list by its noun. */
export const liveLists: Readonly<Record<LiveNoun, LiveList>> = lists;
/** The nouns of `liveLists`. */
export const liveNouns = Object.keys(lists).filter((name): name is LiveNoun => name in lists);

const nounWords: Readonly<Record<LiveNoun, string>> = {
  deposit: '充值订单',
  withdrawal: '提现订单',
  approval: '复核',
  drawPlan: '开奖计划',
  drawRecord: '开奖记录',
  spider: '开奖采集',
  settlement: '结算',
};

/**
 * A row that came or changed. Of a row only what tells whether a list is concerned: whoever wants more reads the list. It may be told
 * twice.
 */
export const Happening = z.object({
  noun: choice('对象', nounWords),
  id: id(),
  what: choice('变化', { ADDED: '新增', CHANGED: '变化' }),
  userId: userId.nullable(),
  gameId: gameId.nullable(),
  status: text('状态').nullable(),
});
export type Happening = z.infer<typeof Happening>;

const count = integer('待处理', { min: 0 }).nullable();

/** How many rows wait for somebody, by noun; null where the operator may not open the list. */
export const LiveWaiting = z.object({
  deposit: count,
  withdrawal: count,
  approval: count,
  /** Those of `approval` that the operator may release. */
  releasable: count,
  drawPlan: count,
  drawRecord: count,
  spider: count,
  settlement: count,
});
export type LiveWaiting = z.infer<typeof LiveWaiting>;

/**
 * What happened since `since`, of what the caller may see. `cursor` is to be sent as the next `since`. Where `complete` is false, some of it
 * is no longer known, and whatever stands on screen is to be read again. `waiting` is null when it is as it was told before.
 */
export const Happenings = z.object({
  cursor: text('位置', { max: 8_000 }),
  complete: flag('完整'),
  waiting: LiveWaiting.nullable(),
  happenings: z.array(Happening).meta({ title: '变化' }),
});
export type Happenings = z.infer<typeof Happenings>;

/** The name under which a stream sends `Happenings`. */
export const NEWS_EVENT = 'news';
/** A stream says something at least this often. */
export const BEAT_MS = 10_000;
/** How long an operator who went away is told what they missed. */
export const REMEMBERED_MS = 10 * 60_000;
/** With more than so many rows of news at once, they are not told one by one. */
export const MOST_HAPPENINGS = 500;

/**
 * Asked for `text/event-stream` it does not end: each message is such an answer, its id the cursor, and `Last-Event-ID` is what `since` is
 * otherwise. The JSON answer is for where streams cannot be had.
 */
export const getHappenings = query('GET /live/happenings', {
  summary: '查询实时消息',
  body: 'none',
  input: z.object({ since: optional(text('位置', { max: 8_000 })) }),
  output: Happenings,
  access: 'signed-in',
  streams: true,
});

/** The noun that operators are told of whose list this is, if any. */
export const liveNounOf = (endpoint: AnyEndpoint): LiveNoun | undefined =>
  liveNouns.find((noun) => liveLists[noun].list === endpoint);
