import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  by,
  choice,
  dateTime,
  filters,
  flag,
  id,
  integer,
  longText,
  money,
  optional,
  paged,
  pageOf,
  signedMoney,
  sorts,
  text,
} from './fields.ts';
import { betTimeRange, gameId, phase, reason, userId } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '结算';

const screen = '/main/bet/settlement';

/** Why slips are brought to what they should be. */
export const settlementKind = choice('结算类型', {
  FIRST: '首次结算',
  CORRECTION: '更正',
  VOID: '作废',
  UNVOID: '恢复',
});
/** HELD waits for a person: for a conflict to be settled, for slips that could not be settled, or for wins to be looked at. */
const status = choice('结算状态', { RUNNING: '进行中', HELD: '待处理', DONE: '已完成' });
const playWayId = ref('playWay', '玩法');
const settlementId = id('结算编号');

const movedFields = {
  stake: money('投注额'),
  payout: signedMoney('派彩'),
  refund: signedMoney('退还'),
};

/**
 * What a draw, its correction or a void made of the slips of a phase. `slips`, `stake`, `payout` and `refund` are of the slips that it
 * changed, with what it paid less what it took back; `total` is how many it looks through, `waiting` how many it has still to look at,
 * `held` how many wait for a person or another try, `bigWins` how many of these are wins to be let go. A void covers a play way, a time of
 * placing, one slip, or the whole phase; `undone` tells that it was taken back.
 */
export const Settlement = z.object({
  id: settlementId,
  gameId,
  phase,
  kind: settlementKind,
  result: text('开奖结果', { max: 500 }).nullable(),
  status,
  slips: integer('注单数', { min: 0 }),
  ...movedFields,
  total: integer('涉及注单', { min: 0 }),
  waiting: integer('排队中的注单', { min: 0 }),
  held: integer('待处理注单', { min: 0 }),
  bigWins: integer('待放行大额派彩', { min: 0 }),
  startTime: dateTime('开始时间'),
  endTime: dateTime('结束时间').nullable(),
  problem: told(longText('说明')).nullable(),
  playWayId: playWayId.nullable(),
  createTimeFrom: dateTime('投注时间起').nullable(),
  createTimeTo: dateTime('投注时间止').nullable(),
  slipId: ref('slip', '作废注单').nullable(),
  undone: flag('已恢复'),
  userName: text('操作员').nullable(),
  reason: text('原因', { max: 500 }).nullable(),
});
export type Settlement = z.infer<typeof Settlement>;

const filter = { id: settlementId, gameId, phase: by('whole', phase), kind: settlementKind, status };

/** What settlements come to; a slip counts with each that changed it. */
export const sumSettlements = query('POST /bet/settlement/sum', {
  summary: '合计结算',
  body: 'form',
  input: filters(filter),
  output: z.object(movedFields),
  access: granted(screen),
});

export const pageSettlements = query('POST /bet/settlement/page', {
  summary: '分页查询结算',
  body: 'form',
  input: paged({ ...filter, sort: sorts('id') }),
  output: pageOf(Settlement),
  access: granted(screen),
  sums: {
    call: sumSettlements,
    totals: {
      stake: { label: '投注额', field: 'stake' },
      payout: { label: '派彩', field: 'payout' },
      refund: { label: '退还', field: 'refund' },
    },
  },
});

/** A slip that a settlement set aside, and why. */
export const HeldSlip = z.object({
  slipId: ref('slip', '注单编号'),
  userId,
  cause: choice('待处理原因', {
    UNREADABLE: '结果或规则无法判定',
    UNPOSTED: '不能入账',
    BIG_WIN: '大额派彩',
  }),
  problem: told(longText('说明')),
  payout: money('待派彩').nullable(),
  released: flag('已放行'),
  nextTime: dateTime('下次重试').nullable(),
});
export type HeldSlip = z.infer<typeof HeldSlip>;

export const pageHeldSlips = query('POST /bet/settlement/held', {
  summary: '分页查询结算中待处理的注单',
  noun: '结算中待处理的注单',
  body: 'form',
  input: paged({}).extend({ id: settlementId }),
  output: pageOf(HeldSlip),
  access: granted(screen),
});

/** Lets wins that were held for a look be paid: all that a settlement holds, or one of them. Answers how many. */
export const releaseHeldSlips = command('POST /bet/settlement/release', {
  summary: '放行大额派彩',
  body: 'form',
  input: z.object({
    id: settlementId,
    slipId: optional(ref('slip', '注单编号')),
    reason: reason('放行原因'),
  }),
  output: z.int().min(1),
  access: granted(screen, 'bet:settlement:release'),
});

/**
 * Voids what was bet on a phase, once it is closed: all of it, a play way, or what was placed within a time. Stakes are given back, whatever
 * was paid is taken back, other lines settle as drawn. Answers the settlement that does so.
 */
export const voidPhase = command('POST /bet/phase/void', {
  summary: '作废一期的注单',
  body: 'form',
  input: z.object({
    gameId,
    phase,
    playWayId: optional(playWayId),
    createTimeRange: optional(betTimeRange),
    reason: reason('作废原因'),
  }),
  output: settlementId,
  access: granted(screen, 'bet:phase:void'),
  approval: { when: 'always', by: 'approval:release:bets' },
});

/** Takes a void back: its slips become what their draw makes of them. Answers the settlement that does so. */
export const unvoidPhase = command('POST /bet/phase/unvoid', {
  summary: '恢复作废的注单',
  body: 'form',
  input: z.object({ settlementId: ref('settlement', '结算编号'), reason: reason('恢复原因') }),
  output: settlementId,
  access: granted(screen, 'bet:phase:void'),
  approval: { when: 'always', by: 'approval:release:bets' },
});
