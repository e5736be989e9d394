import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  choice,
  dateTime,
  filters,
  flag,
  id,
  integer,
  money,
  optional,
  paged,
  pageOf,
  signedMoney,
  sorts,
  text,
} from './fields.ts';
import { bizOrderNo, day, level, seenVersion, share, userId, version } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

export const heading = '返水';

const screen = '/main/bet/rebate';
const rateScreen = '/main/bet/rebate-rate';

const categoryId = ref('gameCategory', '游戏分类');
const rate = share('返水比例');
const validFrom = day('生效日');
const rateFields = { level, categoryId, rate, validFrom };

/** The share of turnover that players of a level get back in games of a category, from a day on until the next row's day. */
export const RebateRate = z.object({ id: id(), version, ...rateFields });
export type RebateRate = z.infer<typeof RebateRate>;

export const pageRebateRates = query('POST /bet/rebate/rate/page', {
  summary: '分页查询返水比例',
  noun: '返水比例',
  body: 'form',
  input: paged({ level, categoryId, sort: sorts('level', 'rate', 'validFrom') }),
  output: pageOf(RebateRate),
  access: granted(rateScreen),
});

/** A rate above what the house keeps of a play way, 1 less its return, needs a second operator. */
export const addRebateRate = command('POST /bet/rebate/rate/add', {
  summary: '新增返水比例',
  effect: 'add',
  body: 'json',
  input: z.object(rateFields),
  output: id(),
  access: granted(rateScreen, 'bet:rebate:rate'),
  imports: true,
  approval: { when: 'rebateAboveMargin', by: 'approval:release:money' },
});

export const updateRebateRate = command('POST /bet/rebate/rate/update', {
  summary: '编辑返水比例',
  effect: 'update',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...rateFields }),
  output: id(),
  access: granted(rateScreen, 'bet:rebate:rate'),
  edits: RebateRate,
  approval: { when: 'rebateAboveMargin', by: 'approval:release:money' },
});

export const deleteRebateRate = command('GET /bet/rebate/rate/deleteById/{id}', {
  summary: '删除返水比例',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(rateScreen, 'bet:rebate:rate'),
});

const runDay = day('平台日');
const status = choice('状态', { PREPARED: '待放行', PAYING: '发放中', DONE: '已发放' });
const kind = choice('类型', { REBATE: '返水', RETURN: '返点', INVITE_REWARD: '邀请奖励' });
const digest = text('摘要', { max: 64 });

const runSums = {
  turnover: money('有效投注'),
  rebate: money('返水'),
  returned: money('返点'),
  invited: money('邀请奖励'),
};

/**
 * What a finished day pays. PREPARED: worked out, and anew whenever something changed; `unsettled` slips of it are not settled, and will be
 * made up for by a later run, as will corrections. `corrected` are days before it that it makes up for. `waiting` could not be posted yet.
 * `digest` stands for what is paid to whom.
 */
export const RebateRun = z.object({
  day: runDay,
  status,
  ...runSums,
  payees: integer('收款人数', { min: 0 }),
  unsettled: integer('未结算注单', { min: 0 }),
  waiting: integer('待入账', { min: 0 }),
  corrected: z.array(runDay).meta({ title: '补差的平台日' }),
  stale: flag('待重算', ['待重算', '最新']),
  prepareTime: dateTime('备好时间'),
  userName: text('放行人', { max: 50 }).nullable(),
  releaseTime: dateTime('放行时间').nullable(),
  doneTime: dateTime('发放完成时间').nullable(),
  digest: digest.meta({ title: '摘要', kind: 'version' }),
});
export type RebateRun = z.infer<typeof RebateRun>;

const runFilter = { day: runDay, status };

/** What days pay, or would pay, in all. */
export const sumRebateRuns = query('POST /bet/rebate/sum', {
  summary: '合计返水',
  body: 'form',
  input: filters(runFilter),
  output: z.object(runSums),
  access: granted(screen),
});

export const pageRebateRuns = query('POST /bet/rebate/page', {
  summary: '分页查询返水',
  knownBy: 'day',
  body: 'form',
  input: paged({ ...runFilter, sort: sorts('day', 'turnover', 'rebate', 'returned', 'invited', 'payees') }),
  output: pageOf(RebateRun),
  access: granted(screen),
  sums: {
    call: sumRebateRuns,
    totals: {
      turnover: { label: '有效投注', field: 'turnover' },
      rebate: { label: '返水', field: 'rebate' },
      returned: { label: '返点', field: 'returned' },
      invited: { label: '邀请奖励', field: 'invited' },
    },
  },
});

/** What a run pays somebody: what is `due` with what was `carried`, or nothing, and then a negative `rest` is carried on. */
export const RebateItem = z.object({
  userId,
  kind,
  due: signedMoney('应得'),
  carried: signedMoney('上次结转'),
  amount: money('发放'),
  rest: signedMoney('结转下次'),
  bizOrderNo,
  postTime: dateTime('入账时间').nullable(),
  problem: told(text('说明')).nullable(),
});
export type RebateItem = z.infer<typeof RebateItem>;

export const pageRebateItems = query('POST /bet/rebate/items', {
  summary: '分页查询返水明细',
  noun: '返水明细',
  body: 'form',
  input: paged({ kind }).extend({ day: runDay }),
  output: pageOf(RebateItem),
  access: granted(screen),
});

/** A rate by which the house gives back more than it keeps of a play way. */
export const RebateWarning = z.object({
  level,
  categoryId,
  rate,
  playWay: text('玩法'),
  returnRate: text('返还率'),
});
export type RebateWarning = z.infer<typeof RebateWarning>;

/** What a day would pay, or paid; without a day that of the day that is to be released next. `items` are the first 200 of `itemCount`. */
export const RebatePreview = RebateRun.extend({
  itemCount: integer('明细项数', { min: 0 }),
  warnings: z.array(RebateWarning).meta({ title: '提示' }),
  items: z.array(RebateItem).meta({ title: '明细' }),
});
export type RebatePreview = z.infer<typeof RebatePreview>;

export const previewRebates = query('POST /bet/rebate/preview', {
  summary: '预览返水',
  body: 'form',
  input: z.object({ day: optional(runDay) }),
  output: RebatePreview,
  access: granted(screen),
});

/** Lets a prepared day be paid, once, and closes the day. Refused where it changed since, or is not what `digest` says was seen. */
export const releaseRebates = command('POST /bet/rebate/release', {
  summary: '放行返水',
  body: 'form',
  input: z.object({ day: runDay, digest: optional(digest) }),
  output: z.literal(true),
  access: granted(screen, 'bet:rebate:release'),
  approval: { when: 'always', by: 'approval:release:money' },
});
