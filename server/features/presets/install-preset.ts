import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { Db } from '#server/db/database.ts';
import { added, addedWhereFree } from '#server/db/rows.ts';
import { dayOf } from '#server/platform-days.ts';
import { poolOf } from '../bets/selection.ts';
import { findGameCategoryByName, lastIndex, lockCategories } from '../game-categories/game-category-store.ts';
import { replaceRanges } from '../games/bet-time-range-store.ts';
import type { At } from '../games/current-phase.ts';
import { firstPhase } from '../games/first-phase.ts';
import type { Preset, PresetCategory, PresetOdds, PresetPlayWay } from './preset.ts';

interface Switches {
  status: boolean;
  betStatus: boolean;
}

const playWaysIn = (categories: readonly PresetCategory[]): PresetPlayWay[] =>
  categories.flatMap(({ subCategories }) => subCategories.flatMap(({ playWays }) => playWays));

/** The category that a preset is filed under; one that is made comes after those there are. */
async function categoryOf(db: Db, { gameCategory: name, categoryIcon }: Preset): Promise<number> {
  const present = await findGameCategoryByName(db, name);
  if (present) return present.id;
  // Others who make one wait here; who waited finds theirs, and its place taken.
  await lockCategories(db);
  const made = await findGameCategoryByName(db, name);
  if (made) return made.id;
  const index = (await lastIndex(db)) + 1;
  return (await added(db, 'game_category', { name, iconClass: categoryIcon, index })).id;
}

/** What nobody else can have put in before: a preset that names it twice is a bug. */
function known(id: number | undefined, name: string): number {
  if (id === undefined) throw new Error(`a preset has ${name} twice`);
  return id;
}

async function insertNumbers(db: Db, gameId: number, playWays: readonly PresetPlayWay[]) {
  const numbers = new Set(
    playWays.flatMap(({ odds, selection, oddsFrom }) => [
      ...(selection ? poolOf(selection) : []),
      ...(oddsFrom === 'OUTCOME' ? [] : odds.flatMap(([each]) => each)),
    ]),
  );
  const values = [...numbers].map((number) => ({ gameId, number }));
  const rows = await db.insertInto('game_number').values(values).returning(['id', 'number']).execute();
  return new Map(rows.map(({ id, number }) => [number, id]));
}

async function insertLatitudes(db: Db, gameId: number, playWays: readonly PresetPlayWay[]) {
  const values = playWays.map(({ latitude: { handlerOptions, ...latitude } }) => ({
    ...{ ...latitude, gameId },
    handlerOptions: handlerOptions ? JSON.stringify(handlerOptions) : null,
  }));
  const rows = await db.insertInto('bet_latitude').values(values).returning(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Each name, of a number or of an outcome, with its odds. */
const eachOf = (odds: readonly PresetOdds[]): OutcomeOdds[] =>
  odds.flatMap(([names, each]) => names.map((name) => ({ name, odds: each })));

type Ids = ReadonlyMap<string, number>;

const laidOut = { countOfRows: 5, hideName: false };

/** The sub-categories of a preset with their ids, in their order. */
async function addCategories(db: Db, gameId: number, categories: readonly PresetCategory[]) {
  const tops = categories.map(({ name }) => ({ ...laidOut, gameId, name, parentCategoryId: null }));
  const made = await addedWhereFree(db, 'play_way_category', tops);
  const parents = new Map(made.map(({ id, name }) => [name, id]));
  const below = categories.flatMap(({ name, subCategories }) =>
    subCategories.map(({ playWays, ...sub }) => ({
      playWays,
      row: { ...laidOut, gameId, ...sub, parentCategoryId: known(parents.get(name), name) },
    })),
  );
  const subs = await addedWhereFree(
    db,
    'play_way_category',
    below.map(({ row }) => row),
  );
  const ids = new Map(subs.map(({ id, parentCategoryId, name }) => [`${parentCategoryId} ${name}`, id]));
  return below.map(({ playWays, row }) => ({
    playWays,
    subCategoryId: known(ids.get(`${row.parentCategoryId} ${row.name}`), row.name),
  }));
}

/**
 * The tree from categories to odds, a statement for each of its levels: other presets may wait for this one. Names within a preset are
 * unique; a preset that is not would be a bug.
 */
async function addTree(
  db: Db,
  gameId: number,
  categories: readonly PresetCategory[],
  ids: { numbers: Ids; latitudes: Ids },
): Promise<void> {
  const rows = (await addCategories(db, gameId, categories)).flatMap(({ subCategoryId, playWays }) =>
    playWays.map(({ name, showRate = null, latitude, selection = null, oddsFrom = 'NUMBER', odds }) => ({
      ...{ gameId, subCategoryId, name, showRate, selection, oddsFrom },
      betLatitudeId: known(ids.latitudes.get(latitude.name), latitude.name),
      outcomes: oddsFrom === 'OUTCOME' ? eachOf(odds) : [],
    })),
  );
  const made = new Map((await addedWhereFree(db, 'play_way', rows)).map(({ id, name }) => [name, id]));
  const byNumber = playWaysIn(categories).filter(({ oddsFrom }) => oddsFrom !== 'OUTCOME');
  const odds = byNumber.flatMap((playWay) =>
    eachOf(playWay.odds).map(({ name, odds }) => ({
      ...{ playWayId: known(made.get(playWay.name), playWay.name), odds },
      numberId: known(ids.numbers.get(name), name),
    })),
  );
  await db.insertInto('odds').values(odds).execute();
}

/** Puts a preset in as a game of this name; nothing when the name is taken. */
export async function installPreset(
  db: Db,
  preset: Preset,
  { name, now, timeZone, ...switches }: Switches & At & { name: string },
): Promise<number | undefined> {
  const { openRate, stopBetSecond, phaseRule, introduce, resultRule } = preset;
  const today = dayOf(now.getTime() / 1000, timeZone);
  const game = {
    ...{ name, openRate, stopBetSecond, phaseRule, introduce, resultRule, ...switches },
    categoryId: await categoryOf(db, preset),
    phase: firstPhase(preset, { now, timeZone }),
    phaseTime: now,
  };
  const [made] = await addedWhereFree(db, 'game', [game]);
  if (!made) return undefined;
  const gameId = made.id;
  await replaceRanges(db, gameId, preset.timeRanges);
  const categories = preset.categories(today);
  const playWays = playWaysIn(categories);
  const numbers = await insertNumbers(db, gameId, playWays);
  const latitudes = await insertLatitudes(db, gameId, playWays);
  await addTree(db, gameId, categories, { numbers, latitudes });
  return gameId;
}
