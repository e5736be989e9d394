import type { Input } from '#contract/endpoint.ts';
import type { updatePlayWay } from '#contract/play-ways.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed, type Row } from '#server/db/rows.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { dayOf } from '#server/platform-days.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { findBetLatitude, holdBetLatitude } from '../bet-latitudes/bet-latitude-store.ts';
import { demandFits, holdPools } from '../bet-latitudes/selection-rules.ts';
import { holdResultRule, resultRuleOf } from '../games/result-rule.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import { withReturns } from './play-rules.ts';
import { previewPlayWay } from './play-way-preview.ts';
import * as store from './play-way-store.ts';

type Edit = Input<typeof updatePlayWay>;

/** The latitude, if it is of the sub-category's game; until the transaction ends nobody changes how it reads, or what a result is. */
async function demandOneGame(db: Db, subCategoryId: number, betLatitudeId: number) {
  const subCategory = await findPlayWayCategory(db, subCategoryId);
  if (!subCategory || subCategory.parentCategoryId === null) throw wrong('subCategoryId', '玩法子分类不存在');
  const resultRule = await holdResultRule(db, subCategory.gameId);
  const latitude = await holdBetLatitude(db, betLatitudeId);
  if (!latitude) throw new Refusal('absent', { field: 'betLatitudeId', values: { what: '投注维度' } });
  if (latitude.gameId !== subCategory.gameId) throw wrong('betLatitudeId', '该游戏没有这个投注维度');
  return { latitude, resultRule };
}

const todayOf = ({ now, config }: Context): string => dayOf(now.getTime() / 1000, config.timeZone);
const usualSource = (selection: SelectionRule | null): OddsFrom =>
  selection === null ? 'NUMBER' : 'OUTCOME';

/** What becomes of a play way by an edit. What is only won or lost goes by the play way's name, and takes a new one. */
function edited(before: Row<'play_way'>, { name, showRate, betLatitudeId, ...given }: Omit<Edit, 'id'>) {
  const { selection = before.selection, subCategoryId = before.subCategoryId } = given;
  const isSame = (selection === null) === (before.selection === null);
  const renamed = before.outcomes.map((each) => (each.name === before.name ? { ...each, name } : each));
  return {
    ...{ name, showRate: showRate ?? null, betLatitudeId, subCategoryId, selection },
    oddsFrom: given.oddsFrom ?? (isSame ? before.oddsFrom : usualSource(selection)),
    outcomes: given.outcomes ?? (isSame ? renamed : []),
  };
}

async function keptPlayWay(db: Db, id: number) {
  const playWay = await store.findPlayWay(db, id);
  if (!playWay) throw new Refusal('recordNotFound');
  return playWay;
}

export const playWaysHandlers = handlers({
  pagePlayWays: async (context, filter) => {
    const { totalCount, data } = await store.pagePlayWays(context.db, filter);
    return { totalCount, data: await withReturns(data, todayOf(context)) };
  },

  previewPlayWay: async (context, given) => {
    const { db } = context;
    const kept = given.id === undefined ? undefined : await keptPlayWay(db, given.id);
    const { selection = kept?.selection ?? null, outcomes = kept?.outcomes ?? [] } = given;
    const latitude = await findBetLatitude(db, given.betLatitudeId);
    if (!latitude) throw wrong('betLatitudeId', '该游戏没有这个投注维度');
    const entered = { ...given, selection, oddsFrom: given.oddsFrom ?? usualSource(selection), outcomes };
    await demandFits(db, entered, latitude, await resultRuleOf(db, latitude.gameId));
    return previewPlayWay(db, entered, latitude, todayOf(context));
  },

  addPlayWay: async ({ db }, { showRate = null, selection = null, outcomes = [], ...given }) => {
    const oddsFrom = given.oddsFrom ?? usualSource(selection);
    const playWay = { ...given, showRate, selection, oddsFrom, outcomes };
    const { latitude, resultRule } = await demandOneGame(db, given.subCategoryId, given.betLatitudeId);
    await holdPools(db, selection, latitude.gameId);
    await demandFits(db, playWay, latitude, resultRule);
    return (await added(db, 'play_way', { ...playWay, gameId: latitude.gameId })).id;
  },

  updatePlayWay: async ({ db }, { id, version, ...given }) => {
    await changed(db, 'play_way', { id, version }, async (before) => {
      const after = edited(before, given);
      const { latitude, resultRule } = await demandOneGame(db, after.subCategoryId, after.betLatitudeId);
      if (latitude.gameId !== before.gameId) throw wrong('subCategoryId', '不能移到另一个游戏');
      await holdPools(db, after.selection, latitude.gameId);
      await demandFits(db, after, latitude, resultRule);
      return after;
    });
    return id;
  },

  stopPlayWay: async ({ db, say }, { id, stopped }) => {
    const { name } = await changed(db, 'play_way', { id }, { stopped });
    say(`玩法“${name}”${stopped ? '已停押' : '已恢复投注'}`);
    return true as const;
  },
});
