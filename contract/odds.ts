import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { decimal, id, optional, text } from './fields.ts';
import { rows } from './list-fields.ts';
import { changedCount, number, numberId, seenVersion, stopped, version } from './named-fields.ts';
import { ref, refs } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '赔率';

const screen = '/main/game/playway';
const playWayId = ref('playWay', '玩法');
/** Numbers of the play way's game. */
const numberIds = refs('gameNumber', '号码', { min: 1, of: 'gameId' });
const odds = decimal('赔率', { positive: true });

/**
 * What a bet returns on average: probability x odds, a stake that comes back counting 1, rounded up to 4 places; above 1 the house loses.
 * Null where the chance cannot be told, as for a game of which nobody said what a result is.
 */
export const returnRate = decimal('返还率').nullable();

/**
 * What a stake on one number of a play way is multiplied by. `odds` is an exact decimal with at most 4 places. Where the lowest odds of a
 * unit's numbers count, `returnRate` is that of the best unit which this row pays.
 */
export const Odds = z.object({ id: id(), version, playWayId, numberId, number, odds, returnRate, stopped });
export type Odds = z.infer<typeof Odds>;

/** Gives each of these numbers the same odds; all of them or none. */
export const addOdds = command('POST /game/odds/add', {
  effect: 'add',
  summary: '新增赔率',
  about: '玩法',
  body: 'json',
  input: z.object({ playWayId, numberIds, odds }),
  output: z.literal(true),
  access: granted(screen, 'game:odds:add'),
  imports: true,
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/**
 * Σ 1/odds over a complete set of numbers, cut to 4 places; below 1 the house loses on average. Null without such a set, or
 * where several of its numbers may win at once.
 */
export const margin = decimal('赔率倒数和').nullable();

/** What a play way would leave the house if these numbers had these odds too, and what a bet on the best of them would return. Nothing is kept. */
export const previewOdds = query('POST /game/odds/preview', {
  summary: '试算赔率',
  body: 'json',
  input: z.object({ playWayId, numberIds, odds }),
  output: z.object({ margin, returnRate }),
  access: granted(screen),
});

/** Gives a number that has odds other ones; the right is that of giving odds. */
export const updateOdds = command('POST /game/odds/update', {
  effect: 'update',
  summary: '编辑赔率',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, odds }),
  output: z.literal(true),
  access: granted(screen, 'game:odds:add'),
  edits: Odds.pick({ id: true, version: true, odds: true }),
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/** The specification names no code for it, so the screen is enough. */
export const deleteOdds = command('GET /game/odds/deleteById/{id}', {
  rows: 'odds',
  effect: 'delete',
  summary: '删除赔率',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

/** Stops or resumes betting on one number of a play way. */
export const stopOdds = command('POST /game/odds/stop', {
  summary: '停押或恢复号码',
  body: 'form',
  input: z.object({ id: id(), stopped }),
  output: z.literal(true),
  access: granted(screen, 'game:playway:stop'),
});

/** A number with the odds it is to have, and those it was seen with; without the latter it was seen to have none. */
const seenOdds = odds.meta({ ...odds.meta(), title: '原赔率' });
const oddsRow = z.object({ numberId, odds, seen: optional(seenOdds) });
const oddsTable = rows('赔率表', oddsRow, { min: 1 });

/** Gives each of these numbers its odds, new or in place of those it was seen with; all of them or none. */
export const setOdds = command('POST /game/odds/set', {
  summary: '设置赔率',
  about: '玩法',
  body: 'json',
  input: z.object({ playWayId, rows: oddsTable }),
  output: changedCount,
  access: granted(screen, 'game:odds:add'),
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/** Gives each of these numbers the same odds, new or in place of those it has: a row of a table that is imported. */
export const putOdds = command('POST /game/odds/put', {
  summary: '导入赔率',
  about: '玩法',
  body: 'json',
  input: z.object({ playWayId, numberIds, odds }),
  output: changedCount,
  access: granted(screen, 'game:odds:add'),
  imports: { tells: ['numberId', 'odds'] },
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/** What a play way, called `name`, would leave the house with these odds, and what a bet on each of its numbers would return. Nothing is kept. */
export const previewOddsTable = query('POST /game/odds/previewTable', {
  summary: '试算赔率表',
  body: 'json',
  input: z.object({ playWayId, rows: oddsTable }),
  output: z.object({
    ...{ name: text('玩法名称'), margin, returnRate },
    rows: z.array(z.object({ numberId, returnRate })),
  }),
  access: granted(screen),
});
