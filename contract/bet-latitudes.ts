import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, integer, longText, nothing, optional, paged, pageOf, sorts, text } from './fields.ts';
import { gameId, openTime, phase, seenVersion, version } from './named-fields.ts';
import { optionFields } from './option-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '投注维度';

const screen = '/main/game/bet-latitude';

/** A handler's parameters (boundaries and the like) as a JSON object. */
export const handlerOptions = longText('处理器参数', { max: 2000 });
const name = text('投注维度名称', { max: 50 });
/** How a result is read: its positions, and what turns them into winning numbers. */
export const reading = {
  resultIndex: text('结果位置').refine((value) => /^(\*|[0-9]{1,3}(,[0-9]{1,3})*)$/.test(value), {
    error: '须为 * 或以逗号分隔的位置，如 0,1,2',
  }),
  resultHandlerName: text('结果处理器', { max: 100 }),
};
const fields = { name, ...reading };
/** A handler's parameters (boundaries and the like) as a JSON object; absent for the usual ones. */
const inputFields = { ...fields, handlerOptions: optional(handlerOptions) };

/**
 * A way to read a result: `resultIndex` picks its positions (`0`, `0,1,2`, `*`), `resultHandlerName` turns them into
 * winning numbers.
 */
export const BetLatitude = z.object({
  id: id(),
  version,
  gameId,
  ...fields,
  handlerOptions: handlerOptions.nullable(),
});
export type BetLatitude = z.infer<typeof BetLatitude>;

export const pageBetLatitudes = query('POST /game/betLatitude/page', {
  rows: 'bet_latitude',
  summary: '分页查询投注维度',
  body: 'form',
  input: paged({ gameId, sort: sorts('name', 'resultIndex', 'resultHandlerName') }),
  output: pageOf(BetLatitude),
  access: granted(screen),
});

/** The bet latitudes of the game that a play-way category or sub-category belongs to. */
export const listBetLatitudesByPlayWayCategory = query('GET /game/betLatitude/listByPlayWayCategoryId/{id}', {
  summary: '查询玩法分类可用的投注维度',
  noun: '玩法分类可用的投注维度',
  body: 'none',
  input: z.object({ id: ref('playWayCategory', '玩法分类') }),
  output: z.array(BetLatitude),
  access: granted(['/main/game/playway-category', '/main/game/playway']),
});

export const addBetLatitude = command('POST /game/betLatitude/add', {
  effect: 'add',
  summary: '新增投注维度',
  body: 'json',
  input: z.object({ gameId, ...inputFields }),
  output: id(),
  access: granted('/main/game/lottery', 'game:betLatitude:add'),
});

export const updateBetLatitude = command('POST /game/betLatitude/update', {
  effect: 'update',
  summary: '编辑投注维度',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...inputFields }),
  output: id(),
  access: granted(screen),
  edits: BetLatitude,
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

export const deleteBetLatitude = command('GET /game/betLatitude/deleteById/{id}', {
  rows: 'bet_latitude',
  effect: 'delete',
  summary: '删除投注维度',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

/** A registered way to turn positions of a result into winning numbers, explained for operators. */
export const ResultHandler = z.object({
  name: text('结果处理器'),
  title: told(text('名称')),
  version: integer('处理器版本', { min: 1 }),
  sentence: told(longText('说明')),
  options: optionFields,
});
export type ResultHandler = z.infer<typeof ResultHandler>;

export const listResultHandlers = query('GET /game/betLatitude/handlers', {
  summary: '查询结果处理器',
  noun: '结果处理器',
  body: 'none',
  input: nothing,
  output: z.array(ResultHandler),
  access: granted([screen, '/main/game/lottery']),
});

/** What a latitude would make of one result; `problem` says why it cannot read it. */
export const LatitudePreview = z.object({
  phase,
  openTime,
  result: text('开奖结果', { max: 500 }),
  winners: z.array(z.string()).meta({ title: '中奖号码' }),
  pushes: z.array(z.string()).meta({ title: '退本金号码' }),
  problem: told(text('问题')).nullable(),
});
export type LatitudePreview = z.infer<typeof LatitudePreview>;

/**
 * Runs a handler on the latest results of a game, ten unless `last` says otherwise, or on one `result` that is typed, as if it were drawn
 * today (its phase reads 试算). With the `id` of a latitude that play ways use, it tells which of the
 * numbers that can be bet on there win; else what the handler itself says.
 */
export const previewBetLatitude = query('POST /game/betLatitude/preview', {
  summary: '预览投注维度',
  noun: '投注维度预览',
  body: 'form',
  input: z.object({
    ...{ gameId, id: optional(id()), ...reading, handlerOptions: optional(handlerOptions) },
    last: integer('期数', { min: 1, max: 100 }).default(10),
    result: optional(text('开奖结果', { max: 500 })),
  }),
  output: z.array(LatitudePreview),
  access: granted([screen, '/main/game/lottery']),
});
