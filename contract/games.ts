import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  choice,
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
  time,
} from './fields.ts';
import { GameNumber, numberFields } from './game-numbers.ts';
import { nested, rows, weekdays } from './list-fields.ts';
import { agreeSources, gameId, openRate, phase, seenVersion, version } from './named-fields.ts';
import { namesRow, ref } from './ref.ts';
import { ResultRule } from './result-rules.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '游戏';

const screen = '/main/game/lottery';
const status = flag('游戏状态', ['启用', '未启用']);
const betStatus = flag('投注状态', ['启用', '未启用']);

/** A phase that the numbering rules can count on from: digits only, leading zeros kept. */
const countablePhase = text('期号', { max: 20 }).refine((value) => /^[0-9]+$/.test(value), {
  error: '须为数字',
});
const phaseRule = choice('期号规则', { RUNNING: '连续编号', DAILY: '按日编号', YEARLY: '按年编号' });

const startDays = weekdays('星期');
/**
 * A time of day to bet in; an end that is not after the start lies on the next day. `openRate` overrides the game's.
 * `weekdays` are the days it starts on; absent or empty for every day.
 */
const rangeFields = { start: time('开始时间'), end: time('结束时间') };
const rangeInput = z.object({
  ...rangeFields,
  openRate: optional(openRate),
  weekdays: optional(startDays),
});

export const BetTimeRange = z.object({
  id: id(),
  ...rangeFields,
  openRate: openRate.optional(),
  weekdays: startDays.optional(),
});
export type BetTimeRange = z.infer<typeof BetTimeRange>;

const fields = {
  name: text('游戏名称', { max: 50 }),
  categoryId: ref('gameCategory', '游戏分类'),
  openRate,
  stopBetSecond: integer('封盘秒数', { min: 0 }),
};
const introduce = longText('规则说明');
const resultRule = nested('开奖结果', ResultRule);

/**
 * A lottery game. `openRate` and `stopBetSecond` are seconds; `phase` is that of the slot that contains now. `resultRule` says what a
 * result is: what does not fit it is not taken, and results are compared part by part. Null where anything is taken. Another
 * `stopBetSecond` holds for phases whose betting begins afterwards.
 */
export const Game = z.object({
  id: id(),
  version,
  ...fields,
  name: namesRow(fields.name, 'game', 'id'),
  phase,
  phaseRule,
  timeRanges: z.array(BetTimeRange).meta({ title: '投注时间' }),
  timeRangesDesc: told(longText('投注时间说明', { min: 0 })),
  introduce: introduce.nullable(),
  resultRule: resultRule.nullable(),
  agreeSources,
  status,
  betStatus,
  numbers: z.array(GameNumber).meta({ title: '号码' }),
});
export type Game = z.infer<typeof Game>;

const inputFields = {
  ...fields,
  introduce: optional(introduce),
  resultRule: optional(resultRule),
  agreeSources: optional(agreeSources),
  phase: optional(countablePhase),
  phaseRule: optional(phaseRule),
  status: optional(status),
  betStatus: optional(betStatus),
  timeRanges: optional(rows('投注时间', rangeInput, { max: 100 })),
  numbers: optional(rows('号码', z.object(numberFields))),
};

const closesBeforeDraw = {
  check: (game: { openRate: number; stopBetSecond: number }) => game.stopBetSecond < game.openRate,
  issue: { path: ['stopBetSecond'], error: '须小于开奖间隔秒数' },
};

export const pageGames = query('POST /lotteryGame/page', {
  summary: '分页查询游戏',
  body: 'form',
  input: paged({
    ...{
      name: fields.name,
      categoryId: fields.categoryId,
      betStatus: flag('投注状态'),
      status: flag('游戏状态'),
    },
    sort: sorts('name', 'openRate', 'stopBetSecond', 'status', 'betStatus'),
  }),
  output: pageOf(Game),
  access: granted(screen),
});

/** All games, for the screens that choose or name one. */
export const listGames = query('POST /lotteryGame/list', {
  summary: '查询全部游戏',
  noun: '全部游戏',
  body: 'none',
  input: nothing,
  output: z.array(Game),
  access: granted([
    '/main/game/number',
    '/main/game/playway-category',
    '/main/game/playway',
    '/main/game/open-record',
    '/main/game/open-plan',
    '/main/game/spider',
    '/main/game/bet-latitude',
    '/main/bet/slip',
    '/main/bet/settlement',
    '/main/bet/exposure',
    '/main/bet/limit',
    '/main/bet/report',
  ]),
});

/** Without a phase the game starts at the first one of its rule; without a rule that is RUNNING; flags default to off. */
export const addGame = command('POST /lotteryGame/add', {
  effect: 'add',
  summary: '新增游戏',
  body: 'json',
  input: z.object(inputFields).refine(closesBeforeDraw.check, closesBeforeDraw.issue),
  output: id(),
  access: granted(screen, 'game:lottery:add'),
});

/**
 * Phase, rule, flags, `timeRanges`, `numbers` and `resultRule` stay as they are when absent or null; a list replaces the old one, and a
 * `resultRule` without parts takes the old one away.
 */
export const updateGame = command('POST /lotteryGame/update', {
  effect: 'update',
  summary: '编辑游戏',
  body: 'json',
  input: z
    .object({ id: id(), version: seenVersion, ...inputFields })
    .refine(closesBeforeDraw.check, closesBeforeDraw.issue),
  output: id(),
  access: granted(screen, 'game:lottery:update'),
  edits: Game,
  approval: {
    ...{ when: 'returnAboveOne', by: 'approval:release:odds' },
    or: { when: 'lessAgreement', by: 'approval:release:draws' },
  },
});

export const counted = (label: string) => integer(label, { min: 0 });

/** How many rows of each kind go with a game when it is deleted; with records it cannot be. */
export const GameDependents = z.object({
  numbers: counted('号码'),
  betLatitudes: counted('投注维度'),
  playWays: counted('玩法'),
  plans: counted('开奖计划'),
  records: counted('开奖记录'),
  spiders: counted('开奖采集'),
  begun: flag('有已开始投注或开奖的期次'),
});
export type GameDependents = z.infer<typeof GameDependents>;

export const getGameDependents = query('GET /lotteryGame/dependents/{id}', {
  summary: '查询与游戏一并删除的内容',
  body: 'none',
  input: z.object({ id: id() }),
  output: GameDependents,
  access: granted(screen),
});

/** Takes numbers, latitudes, play ways, odds, collectors and plans to come along; refused once there are draws or bets. */
export const deleteGame = command('GET /lotteryGame/deleteById/{id}', {
  effect: 'delete',
  summary: '删除游戏',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:lottery:delete'),
});

export const updateGamePhase = command('GET /lotteryGame/updatePhase/{id}/{phase}', {
  effect: 'update',
  summary: '更新期号',
  body: 'none',
  input: z.object({ id: id(), phase: countablePhase }),
  output: z.literal(true),
  access: granted(screen),
});

export const changeGameStatus = command('GET /lotteryGame/changeStatus/{id}/{status}', {
  summary: '切换游戏状态',
  body: 'none',
  input: z.object({ id: id(), status }),
  output: z.literal(true),
  access: granted(screen),
});

export const changeGameBetStatus = command('GET /lotteryGame/changeBetStatus/{id}/{betStatus}', {
  summary: '切换投注状态',
  body: 'none',
  input: z.object({ id: id(), betStatus }),
  output: z.literal(true),
  access: granted(screen),
});

export const addBetTimeRange = command('POST /lotteryGame/addBetTime', {
  effect: 'add',
  summary: '新增投注时间',
  body: 'json',
  input: rangeInput.extend({ gameId }),
  output: id(),
  access: granted(screen),
});

export const deleteBetTimeRange = command('GET /lotteryGame/deleteBetTimeRangeById/{id}', {
  effect: 'delete',
  summary: '删除投注时间',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

/** A game that can be put in whole: its numbers, latitudes, play ways, odds, schedule and rules are known. */
export const GamePreset = z.object({
  key: text('模板'),
  name: text('游戏名称'),
  gameCategory: told(text('游戏分类')),
  introduce: longText('规则说明'),
});
export type GamePreset = z.infer<typeof GamePreset>;

export const listGamePresets = query('GET /lotteryGame/presets', {
  summary: '查询游戏模板',
  noun: '游戏模板',
  body: 'none',
  input: nothing,
  output: z.array(GamePreset),
  access: granted(screen),
});

/** Without a name the game is called as its preset. It comes switched off. */
export const addGamePreset = command('POST /lotteryGame/addPreset', {
  effect: 'add',
  summary: '从模板新增游戏',
  body: 'json',
  input: z.object({ key: text('模板'), name: optional(fields.name) }),
  output: id(),
  access: granted(screen, 'game:lottery:add'),
});
