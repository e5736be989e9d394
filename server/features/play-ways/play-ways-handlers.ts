import type { Input } from '#contract/endpoint.ts';
import type { updatePlayWay } from '#contract/play-ways.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBetLatitude } from '../bet-latitudes/bet-latitude-store.ts';
import { dayOf } from '../draw-plans/platform-days.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import { listOutcomes, type OutcomeOdds, replaceOutcomes } from './outcome-store.ts';
import { withReturns } from './play-rules.ts';
import * as store from './play-way-store.ts';
import { previewOf } from './preview.ts';
import { demandFits } from './selection-rules.ts';

type PlayWayChanges = Omit<Input<typeof updatePlayWay>, 'showRate'> & { showRate: string | null };

const wrong = (field: string, message: string) => new Refusal('invalid', { field, values: { message } });
const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '玩法名称' } });

async function target(db: Db, id: number) {
  const playWay = await store.findPlayWay(db, id);
  if (!playWay) throw new Refusal('recordNotFound');
  return playWay;
}

/** The latitude, if it is of the sub-category's game. */
async function demandOneGame(db: Db, subCategoryId: number, betLatitudeId: number) {
  const subCategory = await findPlayWayCategory(db, subCategoryId);
  if (!subCategory || subCategory.parentCategoryId === null) throw wrong('subCategoryId', '玩法子分类不存在');
  const latitude = await findBetLatitude(db, betLatitudeId);
  if (latitude?.gameId !== subCategory.gameId) throw wrong('betLatitudeId', '该游戏没有这个投注维度');
  return latitude;
}

const todayOf = ({ now, config }: Context): string => dayOf(now.getTime() / 1000, config.timeZone);
const usualSource = (selection: SelectionRule | null): OddsFrom =>
  selection === null ? 'NUMBER' : 'OUTCOME';

type Kept = store.PlayWayRow & { readonly outcomes: readonly OutcomeOdds[] };

/** A play way as a call changes it. What is only won or lost goes by the play way's name, and takes a new one. */
function changed(before: Kept, given: PlayWayChanges): Kept {
  const { selection = before.selection, name } = given;
  const isSame = (selection === null) === (before.selection === null);
  const kept = before.outcomes.map((each) => (each.name === before.name ? { ...each, name } : each));
  return {
    ...before,
    ...{ name, selection, showRate: given.showRate, betLatitudeId: given.betLatitudeId },
    subCategoryId: given.subCategoryId ?? before.subCategoryId,
    oddsFrom: given.oddsFrom ?? (isSame ? before.oddsFrom : usualSource(selection)),
    outcomes: given.outcomes ?? (isSame ? kept : []),
  };
}

export const playWaysHandlers = handlers({
  pagePlayWays: async (context, filter) => {
    const { totalCount, data } = await store.pagePlayWays(context.db, filter);
    return { totalCount, data: await withReturns(context.db, data, todayOf(context)) };
  },

  previewPlayWay: async (context, given) => {
    const { db } = context;
    const kept = given.id === undefined ? undefined : await target(db, given.id);
    const { selection = kept?.selection ?? null } = given;
    const latitude = await findBetLatitude(db, given.betLatitudeId);
    if (!latitude) throw wrong('betLatitudeId', '该游戏没有这个投注维度');
    const { outcomes = kept ? await listOutcomes(db, kept.id) : [] } = given;
    const oddsFrom = given.oddsFrom ?? usualSource(selection);
    const entered = { ...given, selection, oddsFrom, outcomes };
    await demandFits(db, entered, latitude);
    return previewOf(db, entered, latitude, todayOf(context));
  },

  addPlayWay: async ({ db, remark }, { showRate = null, outcomes = [], ...given }) => {
    const { selection = null } = given;
    const fields = { ...given, selection, oddsFrom: given.oddsFrom ?? usualSource(selection) };
    const latitude = await demandOneGame(db, fields.subCategoryId, fields.betLatitudeId);
    const { gameId } = latitude;
    await demandFits(db, { ...fields, outcomes }, latitude);
    const id = await store.insertPlayWay(db, { ...fields, gameId, showRate });
    if (id === undefined) throw nameTaken();
    await replaceOutcomes(db, id, outcomes);
    remark({ targetId: id, after: { id, gameId, ...fields, showRate, outcomes } });
    return id;
  },

  updatePlayWay: async ({ db, remark }, { showRate = null, subCategoryId, outcomes, ...fields }) => {
    const row = await target(db, fields.id);
    const before = { ...row, outcomes: await listOutcomes(db, row.id) };
    const after = changed(before, { ...fields, showRate, subCategoryId, outcomes });
    const latitude = await demandOneGame(db, after.subCategoryId, after.betLatitudeId);
    if (latitude.gameId !== before.gameId) throw wrong('subCategoryId', '不能移到另一个游戏');
    if (await store.isPlayWayNameTaken(db, after)) throw nameTaken();
    await demandFits(db, after, latitude);
    const { outcomes: odds, ...columns } = after;
    await store.updatePlayWay(db, columns);
    await replaceOutcomes(db, fields.id, odds);
    remark({ before, after });
    return fields.id;
  },

  deletePlayWay: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    await store.deletePlayWay(db, id);
    remark({ before });
    return true as const;
  },
});
