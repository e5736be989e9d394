import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  choice,
  dateTime,
  flag,
  id,
  integer,
  longText,
  nothing,
  optional,
  paged,
  pageOf,
  sorts,
  text,
} from './fields.ts';
import { gameId, openTime, phase, remark, seenVersion, version } from './named-fields.ts';
import { optionFields } from './option-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '开奖采集';

const screen = '/main/game/spider';
const name = text('采集名称', { max: 50 });
const spiderServiceName = text('采集器类名', { max: 100 });
const enabled = flag('状态', ['启用', '停用']);
const url = text('采集地址', { max: 2000 }).refine((value) => /^https?:\/\//i.test(value), {
  error: '须以 http:// 或 https:// 开头',
});
const options = longText('采集选项');
const headers = longText('请求头', { max: 2_000 });
/** How long to wait between two requests to a host, at least and at most. */
export const pauses = { min: 200, max: 60_000 } as const;
const pauseMs = integer('最短间隔（毫秒）', pauses);

const fields = {
  gameId,
  name,
  url: optional(url),
  spiderServiceName,
  options: optional(options),
  headers: optional(headers),
  pauseMs: pauseMs.default(3_000),
  remark: optional(remark),
  enabled: enabled.default(true),
};

/**
 * A source of draw results of one game. `spiderServiceName` names a collector, `options` is its configuration as JSON
 * text; `url` is null for a collector that draws by itself, and may hold `{date}`, `{date:yyyyMMdd}` and `{phase}` of the draw that
 * is asked for. `headers` are lines of `name: value`; `pauseMs` is the least time between two requests to the host, of which the
 * longest of its spiders counts. The last four fields tell how its runs went.
 */
export const Spider = z.object({
  id: id(),
  version,
  gameId,
  game: z.object({ name: text('游戏名称') }).meta({ title: '游戏' }),
  name,
  url: url.nullable(),
  spiderServiceName,
  options: options.nullable(),
  headers: headers.nullable(),
  pauseMs,
  remark: remark.nullable(),
  enabled,
  lastRunTime: dateTime('最近采集时间').nullable(),
  lastSuccessTime: dateTime('最近成功时间').nullable(),
  lastError: told(longText('最近错误')).nullable(),
  consecutiveFailures: integer('连续失败次数', { min: 0 }),
});
export type Spider = z.infer<typeof Spider>;

/** A collector that exists: the name spiders use, and a sentence on what it reads. */
export const SpiderService = z.object({
  name: spiderServiceName,
  desc: told(text('说明', { max: 500 })),
  /** False for one that draws by itself, and so needs no address. */
  fetches: flag('从网址采集'),
  options: optionFields,
});
export type SpiderService = z.infer<typeof SpiderService>;

/** Only enabled spiders whose last run failed. */
const failing = choice('采集情况', { YES: '只看失败' });

export const pageSpiders = query('POST /game/spider/page', {
  summary: '分页查询开奖采集',
  body: 'form',
  input: paged({
    ...{ gameId, name, enabled, failing },
    sort: sorts('name', 'enabled', 'consecutiveFailures', 'lastRunTime', 'lastSuccessTime'),
  }),
  output: pageOf(Spider),
  access: granted(screen),
});

export const listSpiderServices = query('GET /game/spider/serviceNames', {
  summary: '查询可用的采集器',
  noun: '可用的采集器',
  body: 'none',
  input: nothing,
  output: z.array(SpiderService),
  access: granted(screen),
});

export const addSpider = command('POST /game/spider/add', {
  effect: 'add',
  summary: '新增开奖采集',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
  approval: { when: 'drawSource', by: 'approval:release:draws' },
});

/** Whether it is enabled stays as it is when that is left out. */
export const updateSpider = command('POST /game/spider/update', {
  effect: 'update',
  summary: '编辑开奖采集',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields, enabled: optional(enabled) }),
  output: id(),
  access: granted(screen),
  edits: Spider.omit({ game: true }),
  approval: { when: 'drawSource', by: 'approval:release:draws' },
});

export const deleteSpider = command('GET /game/spider/deleteById/{id}', {
  rows: 'spider',
  effect: 'delete',
  summary: '删除开奖采集',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

const outcome = choice('处理', {
  NEW: '新开奖结果',
  AWAITED: '等待其他来源一致，尚不是开奖结果',
  SAME: '已有相同结果',
  CONFLICT: '与已有结果冲突',
  EARLY: '尚未到开奖时间，不采用',
  LOCAL: '由本地开奖，不采用',
  SPOILT: '投注截止前结果已外泄，不采用',
  UNFIT: '不是该游戏的结果，不采用',
  UNKNOWN: '没有开奖计划，也不是往期，不采用',
});
/** What storing a draw that a source gives would do. */
export type ResultOutcome = z.infer<typeof outcome>;

/** One draw as a source gives it now; its phase as the game writes it. */
export const DryRunResult = z.object({
  phase,
  result: text('开奖结果', { max: 500 }),
  openTime: openTime.nullable(),
  outcome,
});
export type DryRunResult = z.infer<typeof DryRunResult>;

/** Fetches now and tells what would be stored, newest first; stores nothing. Takes up to 13 s. */
export const dryRunSpider = command('POST /game/spider/dryRun', {
  summary: '试运行开奖采集',
  body: 'json',
  input: z.object({ id: id() }),
  output: z.array(DryRunResult),
  access: granted(screen),
});
