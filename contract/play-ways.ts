import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { amount, decimal, flag, id, integer, money, optional, paged, pageOf, sorts, text } from './fields.ts';
import { nested, rows } from './list-fields.ts';
import { gameId, openTime, phase, seenVersion, stopped, version } from './named-fields.ts';
import { margin, Odds, returnRate } from './odds.ts';
import { ref } from './ref.ts';
import { oddsFrom, SelectionRule } from './selections.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '玩法';

const screen = '/main/game/playway';
const name = text('玩法名称', { max: 50 });
const showRate = text('显示赔率', { max: 50 });
const betLatitudeId = ref('betLatitude', '投注维度', { of: 'subCategoryId' });
/** A category with its sub-categories, or one of these alone. */
const categoryId = ref('playWayCategory', '玩法分类');
const ofCategory = ref('betLatitude', '投注维度', { of: 'categoryId' });
const subCategoryId = ref('playWayCategory', '玩法子分类');
/** What a unit of several numbers can win, and at which odds. */
const OutcomeOdds = z.object({
  name: text('中奖结果', { max: 50 }),
  odds: decimal('赔率', { positive: true }),
});
export type OutcomeOdds = z.infer<typeof OutcomeOdds>;
const outcomes = rows('中奖结果赔率', OutcomeOdds, { max: 100 });
const selection = nested('选号方式', SelectionRule);
const fields = {
  name,
  showRate: optional(showRate),
  betLatitudeId,
  selection: selection.nullable().optional(),
  oddsFrom: optional(oddsFrom),
  outcomes: optional(outcomes),
};

/**
 * A way to bet, with the odds of its numbers. `categoryId` is the category above its sub-category. `selection` says what a player may
 * choose, null for single numbers; `outcomes` are the odds where they are by what is won. `returnRate` is what the best bet returns.
 */
export const PlayWay = z.object({
  id: id(),
  version,
  gameId,
  categoryId: ref('playWayCategory', '玩法分类'),
  subCategoryId,
  name,
  showRate: showRate.nullable(),
  betLatitudeId,
  selection: selection.nullable(),
  oddsFrom,
  outcomes: z.array(OutcomeOdds.extend({ returnRate })).meta({ title: '中奖结果赔率' }),
  odds: z.array(Odds).meta({ title: '赔率' }),
  margin,
  returnRate,
  stopped,
});
export type PlayWay = z.infer<typeof PlayWay>;

export const pagePlayWays = query('POST /game/playWay/page', {
  summary: '分页查询玩法',
  body: 'form',
  input: paged({ gameId, categoryId, betLatitudeId: ofCategory, sort: sorts('name', 'showRate', 'stopped') }),
  output: pageOf(PlayWay),
  access: granted([
    screen,
    '/main/game/draw-desk',
    '/main/bet/slip',
    '/main/bet/settlement',
    '/main/bet/exposure',
    '/main/bet/limit',
    '/main/bet/report',
  ]),
});

/**
 * Without `oddsFrom` the odds are by number for single numbers, else by what is won. A play way that is only won or lost has one outcome
 * of its own name; others have one for each of their handler's.
 */
export const addPlayWay = command('POST /game/playWay/add', {
  effect: 'add',
  summary: '新增玩法',
  body: 'json',
  input: z.object({ subCategoryId, ...fields }),
  output: id(),
  access: granted('/main/game/playway-category', 'game:playway:add'),
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/**
 * Without `subCategoryId` the play way stays where it is; `selection`, `oddsFrom` and `outcomes` stay when they are absent, and `selection`
 * null makes it one of single numbers.
 */
export const updatePlayWay = command('POST /game/playWay/update', {
  effect: 'update',
  summary: '编辑玩法',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, subCategoryId: optional(subCategoryId), ...fields }),
  output: id(),
  access: granted(screen, 'game:playway:update'),
  edits: PlayWay.omit({ categoryId: true, odds: true, margin: true, returnRate: true }).extend({ outcomes }),
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

export const deletePlayWay = command('GET /game/playWay/deleteById/{id}', {
  rows: 'play_way',
  effect: 'delete',
  summary: '删除玩法',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:playway:delete'),
});

/** Stops or resumes betting on a play way; whoever has bet on it stays in the draw. */
export const stopPlayWay = command('POST /game/playWay/stop', {
  summary: '停押或恢复玩法',
  body: 'form',
  input: z.object({ id: id(), stopped }),
  output: z.literal(true),
  access: granted(screen, 'game:playway:stop'),
});

/** What a bet would have won in one draw; `problem` says why that cannot be told. */
const PreviewedDraw = z.object({
  phase,
  openTime,
  result: text('开奖结果'),
  won: integer('中奖注数'),
  pushed: integer('退本金注数'),
  payout: money('派彩'),
  refund: money('退还'),
  problem: told(text('问题')).nullable(),
});

/** What a play way would return, and what became of a bet on it; `capped` tells that its payouts are cut as far as limits say so. */
export const PlayWayPreview = z.object({
  returnRate,
  outcomes: z.array(OutcomeOdds.pick({ name: true }).extend({ returnRate })).meta({ title: '中奖结果' }),
  units: integer('注数').nullable(),
  maxPayout: money('最高派彩').nullable(),
  capped: flag('已计派彩上限').optional(),
  draws: z.array(PreviewedDraw).meta({ title: '开奖' }),
});
export type PlayWayPreview = z.infer<typeof PlayWayPreview>;

/**
 * Tries a play way as it is entered, on the latest results of its game, at most ten. `bet` is a selection as players send it
 * (`01,02,03`, `(01)02,03`, `1,2|3|4`, `01,02+03`); without one only returns are told. `id` names the play way whose number odds count.
 */
export const previewPlayWay = query('POST /game/playWay/preview', {
  summary: '试算玩法',
  body: 'json',
  input: z.object({
    id: optional(ref('playWay', '玩法')),
    ...fields,
    bet: optional(text('选号', { max: 20_000 })),
    unitStake: amount('单注金额').default('1'),
  }),
  output: PlayWayPreview,
  access: granted([screen, '/main/game/playway-category']),
});
