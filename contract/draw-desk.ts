import { z } from 'zod';
import { DrawRecord } from './draw-records.ts';
import { granted, query } from './endpoint.ts';
import { choice, dateTime, flag, id, integer, longText, money, nothing, text } from './fields.ts';
import { gameId, openTime, phase } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '开奖工作台';

const screen = '/main/game/draw-desk';
const gameName = text('游戏名称');
const seconds = integer('剩余秒数');

/** A phase between its beginning and its draw. Seconds are left at the moment of the answer; betting is over once none are to `closesIn`. */
const OpenPhase = z.object({
  phase,
  startTime: dateTime('投注时间'),
  closeTime: dateTime('封盘时间'),
  endTime: openTime,
  closesIn: seconds,
  drawsIn: seconds,
  /** What is staked on it, test accounts left out; null for whoever may not see 单期风险. */
  stake: money('投注额').nullable(),
});

/** How the enabled collectors of a game are; `lastSuccessTime` is when the last of them answered well. */
const Sources = z.object({
  enabled: integer('启用的采集', { min: 0 }),
  failing: integer('失败的采集', { min: 0 }),
  lastSuccessTime: dateTime('最近成功时间').nullable(),
  lastError: told(text('最近错误')).nullable(),
});

/** A game that is on. Parts are null for operators who may not open the list behind them. */
export const DeskGame = z.object({
  gameId,
  gameName,
  betStatus: flag('投注', ['开放', '关闭']),
  open: OpenPhase.nullable(),
  /** The phase that begins next, where none is open. */
  next: z.object({ phase, startTime: dateTime('投注时间') }).nullable(),
  last: z.array(z.object({ phase, result: text('开奖结果'), openTime })).nullable(),
  sources: Sources.nullable(),
});
export type DeskGame = z.infer<typeof DeskGame>;

/** Why a phase waits for a person. */
export const deskWait = choice('待处理', {
  ALARM: '开奖告警',
  LATE: '开奖逾期',
  CONFLICT: '结果冲突',
  AWAITED: '等待一致',
  ENTRY: '录入待生效',
  HELD: '结算待处理',
  VOIDED: '已作废',
});

/**
 * A phase that waits for a person, and since when. Which ids there are depends on why; `record` is that of a conflict, with what sources
 * said. `voidable` tells that its promise cannot be kept, so that its plan may be voided. `total` is how many phases of its game wait for the
 * same, shown or not. A void is shown for a day, and a late phase until all its bets are void.
 */
export const DeskWait = z.object({
  kind: deskWait,
  gameId,
  gameName,
  phase,
  since: dateTime('开始时间'),
  age: integer('已等待秒数', { min: 0 }),
  note: told(longText('说明')).nullable(),
  plan: z.object({ id: id('计划编号') }).nullable(),
  settlementId: ref('settlement', '结算编号').nullable(),
  voidable: flag('可作废'),
  bigWins: integer('待放行大额派彩', { min: 0 }),
  total: integer('同类期数', { min: 1 }),
  record: DrawRecord.pick({
    id: true,
    phase: true,
    result: true,
    source: true,
    conflict: true,
    conflicts: true,
  }).nullable(),
});
export type DeskWait = z.infer<typeof DeskWait>;

/**
 * What is the matter at this moment: of the games that are on the 500 that were added first, with how many there are in all, and of each kind of what waits the newest phases, at most five of a game and fifty in
 * all, but one of every game; the oldest of them first.
 */
export const DrawDesk = z.object({
  time: dateTime('时间'),
  games: z.array(DeskGame),
  totalGames: integer('启用的游戏', { min: 0 }).optional(),
  waits: z.array(DeskWait),
});
export type DrawDesk = z.infer<typeof DrawDesk>;

export const getDrawDesk = query('GET /game/drawDesk/now', {
  summary: '查询开奖工作台',
  body: 'none',
  input: nothing,
  output: DrawDesk,
  access: granted(screen),
});
