import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  by,
  choice,
  dateTime,
  flag,
  id,
  integer,
  longText,
  optional,
  paged,
  pageOf,
  range,
  sorts,
  text,
} from './fields.ts';
import { changedCount, gameId, openTime, phase, reason } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '开奖计划';

/** The draw-plan actions are offered on the games' screen. */
const gamesScreen = '/main/game/lottery';

const status = choice('状态', { WAITTING: '待开奖', OPENING: '开奖中', OPENED: '已开奖', VOID: '已作废' });
/** What a local draw promised before betting opened: a SHA-256, see the verification page. */
export const commitment = text('承诺值', { max: 64 });
const startTimeRange = range('投注时间');

/** Searches for draws that are still OPENING though their result should have come long ago. */
const overdue = choice('结果逾期', { YES: '只看逾期' });

/** Searches for draws with an alarm. Waiting ones may have one too: a result that is out too early, a promise that was not made. */
const alarming = choice('开奖告警', { YES: '只看告警' });

/** Why a phase has no result and never will. */
export const voidReason = reason('作废原因');

/** Why nobody waits any more for the result of a late phase. */
const unawaitedReason = reason('不再等待的原因');

/** What draw plans are searched by. */
export const drawPlanFilters = { phase: by('whole', phase), startTimeRange, status };

/**
 * One draw, to come or done: betting starts at `startTime`, the draw is at `endTime`. WAITTING is the wire's spelling. `late`: the result should
 * have come long ago. `alarm`: why the phase cannot be opened, drawn or promised at present, or that its result is out while it may be bet on.
 * `voidReason`: why it has no result and never will. `unawaitedReason`: why nobody waits for its result, which is taken all the same. `takesBets`:
 * whether bets may be placed now, which for a local draw takes a promise.
 */
export const DrawPlan = z.object({
  id: id(),
  gameId,
  phase,
  startTime: dateTime('投注时间'),
  endTime: openTime,
  status,
  commitment: commitment.nullable(),
  late: flag('结果逾期', ['逾期', '正常']),
  alarm: told(longText('开奖告警')).nullable(),
  voidReason: voidReason.nullable(),
  unawaitedReason: unawaitedReason.nullable(),
  takesBets: flag('可投注'),
});
export type DrawPlan = z.infer<typeof DrawPlan>;

export const pageDrawPlans = query('POST /game/openPlan/page', {
  summary: '分页查询开奖计划',
  body: 'form',
  input: paged({ gameId, ...drawPlanFilters, overdue, alarming, sort: sorts('startTime') }),
  output: pageOf(DrawPlan),
  access: granted('/main/game/open-plan'),
});

/** Identifies what generating would do: with the same digest it does exactly the same. */
const digest = text('预览摘要', { max: 64 });
const windowFields = { gameId, beginDate: dateTime('开始时间'), endDate: dateTime('结束时间') };

/**
 * Replaces the WAITTING plans whose `startTime` lies in the window, both ends included, at most 31 days wide. With the `digest` of a preview it does
 * exactly what was previewed, or is refused.
 */
export const generateDrawPlans = command('POST /game/openPlan/generate', {
  summary: '重新生成开奖计划',
  about: '游戏',
  body: 'json',
  input: z.object({ ...windowFields, digest: optional(digest) }),
  output: changedCount,
  access: granted(gamesScreen),
});

const what = choice('处理', { ADDED: '新增', REPLACED: '替换', REMOVED: '移除', KEPT: '保留' });

/** What generating would do, grouped by what becomes of plans and why; `from` and `to` are the first start and last end of a group. */
export const PlanOutlook = z.object({
  digest,
  fates: z
    .array(
      z.object({
        what,
        why: told(text('原因')),
        count: integer('期数', { min: 1 }),
        firstPhase: text('首期'),
        lastPhase: text('末期'),
        from: dateTime('最早投注时间'),
        to: dateTime('最晚开奖时间'),
      }),
    )
    .meta({ title: '影响' }),
});
export type PlanOutlook = z.infer<typeof PlanOutlook>;

/** What `generateDrawPlans` would do with the same input; refused where that would be. */
export const previewDrawPlans = query('POST /game/openPlan/preview', {
  summary: '预览重新生成开奖计划',
  body: 'json',
  input: z.object(windowFields),
  output: PlanOutlook,
  access: granted(gamesScreen),
});

/** Deletes the WAITTING plans of the window, or without one all WAITTING plans of the game. */
export const cleanDrawPlans = command('POST /game/openPlan/cleanByGameId', {
  summary: '清除开奖计划',
  about: '游戏',
  body: 'json',
  input: z.object({ gameId, startTimeRange: optional(startTimeRange) }),
  output: changedCount,
  access: granted(gamesScreen),
});

export const cleanDrawPlansExceptToday = command('GET /game/openPlan/cleanExcludeTodayByGameId/{gameId}', {
  summary: '清除今日以外的开奖计划',
  about: '游戏',
  body: 'none',
  input: z.object({ gameId }),
  output: changedCount,
  access: granted(gamesScreen),
});

/**
 * Voids a phase whose promise cannot be kept any more, because its seed is lost or its public value did not come in time: for good, with a reason
 * that anyone may read. Refused before the draw time, when there is a result, and while the promise can be kept.
 */
export const voidDrawPlan = command('POST /game/openPlan/void', {
  summary: '作废无法开奖的期次',
  body: 'json',
  input: z.object({ id: id(), reason: voidReason }),
  output: z.literal(true),
  access: granted('/main/game/open-plan'),
  // Always: draws do not know whether anybody has bet on the phase.
  approval: { when: 'always', by: 'approval:release:draws' },
});

/**
 * Ends the waiting for a late phase that its source passed over: it no longer counts as late. A result that comes later is still taken. Refused for
 * local draws, and while slips of the phase are not settled.
 */
export const stopAwaitingDraw = command('POST /game/openPlan/stopAwaiting', {
  summary: '不再等待逾期的开奖结果',
  body: 'json',
  input: z.object({ id: id(), reason: unawaitedReason }),
  output: z.literal(true),
  access: granted('/main/game/open-plan'),
  // Always, as for a void.
  approval: { when: 'always', by: 'approval:release:draws' },
});
