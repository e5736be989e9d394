import { z } from 'zod';
import { commitment, voidReason } from './draw-plans.ts';
import { command, granted, query } from './endpoint.ts';
import { getExposureOutlook, listExposure } from './exposure.ts';
import { by, dateTime, flag, id, integer, longText, paged, pageOf, range, sorts, text } from './fields.ts';
import { agreeSources, gameId, openTime, phase, reason, sealed } from './named-fields.ts';
import { halfWidth } from './number-text.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '开奖记录';

const screen = '/main/game/open-record';

const result = text('开奖结果', { max: 500 });
/** The same as somebody types it: numbers as sources write them, in whatever width and with whatever between them. */
const typedResult = result
  .overwrite((value) => halfWidth(value).replace(/\s*[,;:|、]\s*|\s+/g, ','))
  .refine((value) => /^\d{1,10}(?:[,+]\d{1,10})*$/.test(value), {
    error: '须为开出的号码，用逗号隔开，如 1,2,3',
  });
const source = text('来源');

/** What draw records are searched by. */
export const drawRecordFilters = {
  phase: by('whole', phase),
  openTimeRange: range('开奖时间'),
  conflict: flag('结果冲突'),
};

/**
 * What was drawn. The first result of a phase stands, with its `source`; `conflict` is true while another source says
 * otherwise, and `conflicts` holds what those said. `winners` tells, per bet latitude of the game, which of the
 * numbers that can be bet on by it won; where there are none yet, what its handler says. `verifiable` marks a local draw that anyone can check (see `verifyDraw`).
 */
export const DrawRecord = z.object({
  id: id(),
  gameId,
  phase,
  result,
  openTime,
  createTime: dateTime('采集时间'),
  source: told(source).nullable(),
  conflict: flag('结果冲突'),
  conflicts: z.array(z.object({ source: told(source), result, openTime })).meta({ title: '冲突结果' }),
  winners: z
    .array(
      z.object({
        name: text('投注维度'),
        numbers: z.array(z.string()).meta({ title: '中奖' }),
        pushes: z.array(z.string()).meta({ title: '退本金' }),
      }),
    )
    .meta({ title: '中奖号码' }),
  verifiable: flag('可验证'),
  sealed,
});
export type DrawRecord = z.infer<typeof DrawRecord>;

export const pageDrawRecords = query('POST /game/openLotteryRecord/page', {
  summary: '分页查询开奖记录',
  body: 'form',
  input: paged({ gameId, ...drawRecordFilters, sort: sorts('openTime') }),
  output: pageOf(DrawRecord),
  access: granted(screen),
});

/**
 * Settles a conflict: the result kept, or another that a source gave, stands from now on. Who, what and why are recorded for
 * good; a result that was replaced can be chosen back. A result that no source gave is refused, and so is any other than the drawn one for a local draw.
 * Where players bet on the phase it takes what `applyCorrection` takes: the right to it, a second operator, and that nothing is being settled.
 */
export const resolveDrawRecord = command('POST /game/openLotteryRecord/resolve', {
  summary: '处理开奖结果冲突',
  body: 'json',
  input: z.object({ id: id(), result, reason: reason('原因') }),
  output: z.literal(true),
  access: granted(screen),
  approval: { when: 'slipsOfRecord', by: 'approval:release:bets' },
});

/**
 * A phase on which sources have spoken, and not as many agree as its game asks for, or whose result was entered by hand and waits
 * (`entry`) until `dueTime`: nothing is settled yet. `silent` are enabled sources that said nothing.
 */
export const AwaitedAgreement = z.object({
  gameId,
  gameName: text('游戏名称'),
  phase,
  agreeSources,
  since: dateTime('最早时间'),
  ageSeconds: integer('已等待秒数', { min: 0 }),
  words: z
    .array(z.object({ source, result, openTime, createTime: dateTime('采集时间') }))
    .meta({ title: '各来源结果' }),
  silent: z.array(z.string()).meta({ title: '尚无结果的来源' }),
  entry: z
    .object({
      result,
      evidence: longText('依据'),
      userName: text('录入人'),
      createTime: dateTime('录入时间'),
      dueTime: dateTime('生效时间'),
    })
    .nullable(),
});
export type AwaitedAgreement = z.infer<typeof AwaitedAgreement>;

export const pageAwaitedAgreements = query('POST /game/openLotteryRecord/awaited', {
  summary: '分页查询等待来源一致的期次',
  noun: '等待来源一致的期次',
  body: 'form',
  input: paged({}),
  output: pageOf(AwaitedAgreement),
  access: granted(screen),
});

/**
 * Enters the result of a phase of a collected game by hand, where every source of it has been silent for long: after closing, with evidence,
 * by two operators of whom neither sees what the house stands to lose. It waits some minutes, in which a source's result wins, and then counts
 * as a word of the source MANUAL.
 */
export const enterDrawRecord = command('POST /game/openLotteryRecord/enter', {
  summary: '人工录入开奖结果',
  body: 'json',
  input: z.object({
    gameId,
    phase,
    result: typedResult,
    evidence: longText('依据', { min: 4, max: 2_000 }),
    reason: reason('录入原因'),
  }),
  output: z.literal(true),
  access: granted(screen, 'game:openRecord:enter'),
  approval: { when: 'always', by: 'approval:release:draws', blindTo: [listExposure, getExposureOutlook] },
});

/** A public value that a draw was promised to wait for: where it is published, at which path, when (epoch seconds), and how long it is waited for. */
const beacon = z.object({
  address: z.string(),
  value: z.string(),
  time: z.int(),
  waitMinutes: z.int(),
});

/**
 * A local draw, for anyone to check: SHA-256 over four lines (`game …`, `phase …`, `draw … of …`, the seed) gives the
 * commitment, and the seed gives the result. Where `rules` name a beacon, its line (`beacon address path at time within minutes
 * minutes`) stands before the seed, and the result follows from HMAC-SHA256(seed, `beaconValue`) instead of the seed.
 * `seed`, `beaconValue` and `result` are null until they are there; times are null once the plan is
 * cleared. `voided` tells when and why the phase was voided, for there will be no draw.
 */
export const DrawVerification = z.object({
  gameId,
  gameName: text('游戏'),
  phase,
  commitment,
  commitTime: dateTime('承诺时间'),
  startTime: dateTime('投注时间').nullable(),
  endTime: openTime.nullable(),
  rules: z
    .object({ count: z.int(), pool: z.array(z.string()), repeat: z.boolean(), beacon: beacon.optional() })
    .meta({ title: '开奖规则' }),
  seed: text('种子').nullable(),
  beaconValue: text('公开随机值').nullable(),
  result: result.nullable(),
  voided: z.object({ time: dateTime('作废时间'), reason: voidReason }).nullable(),
});
export type DrawVerification = z.infer<typeof DrawVerification>;

export const verifyDraw = query('GET /public/draw/{gameId}/{phase}', {
  summary: '验证本地开奖',
  body: 'none',
  input: z.object({ gameId, phase }),
  output: DrawVerification,
  access: 'public',
});
