import type { OddsFrom } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { poolOf } from '../bets/selection.ts';
import { dayOf } from '../draw-plans/platform-days.ts';
import {
  findGameCategoryByName,
  insertGameCategory,
  lastIndex,
  lockCategories,
} from '../game-categories/game-category-store.ts';
import { replaceRanges } from '../games/bet-time-range-store.ts';
import type { At } from '../games/current-phase.ts';
import { firstPhase } from '../games/first-phase.ts';
import { insertGame } from '../games/game-store.ts';
import { insertPlayWayCategories } from '../play-way-categories/play-way-category-store.ts';
import { insertOutcomes, type OutcomeOdds } from '../play-ways/outcome-store.ts';
import { insertPlayWays } from '../play-ways/play-way-store.ts';
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
  return known(await insertGameCategory(db, { name, iconClass: categoryIcon, index }), name);
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

const outcomesOf = (odds: readonly PresetOdds[]): OutcomeOdds[] =>
  odds.flatMap(([names, each]) => names.map((name) => ({ name, odds: each })));

type Ids = ReadonlyMap<string, number>;

const laidOut = { countOfRows: 5, hideName: false };

/** The sub-categories of a preset with their ids, in their order. */
async function insertCategories(db: Db, gameId: number, categories: readonly PresetCategory[]) {
  const tops = categories.map(({ name }) => ({ ...laidOut, gameId, name, parentCategoryId: null }));
  const made = await insertPlayWayCategories(db, tops);
  const below = categories.flatMap(({ name, subCategories }) =>
    subCategories.map(({ playWays, ...sub }) => ({
      playWays,
      row: { ...laidOut, gameId, ...sub, parentCategoryId: known(made(null, name), name) },
    })),
  );
  const ids = await insertPlayWayCategories(
    db,
    below.map(({ row }) => row),
  );
  return below.map(({ playWays, row }) => ({
    playWays,
    subCategoryId: known(ids(row.parentCategoryId, row.name), row.name),
  }));
}

/**
 * The tree from categories to odds, a statement for each of its levels: other presets may wait for this one. Names within a preset are
 * unique; a preset that is not would be a bug.
 */
async function insertTree(
  db: Db,
  gameId: number,
  categories: readonly PresetCategory[],
  ids: { numbers: Ids; latitudes: Ids },
): Promise<void> {
  const subCategories = await insertCategories(db, gameId, categories);
  const rows = subCategories.flatMap(({ subCategoryId, playWays }) =>
    playWays.map(({ name, showRate = null, latitude, selection = null, oddsFrom = 'NUMBER' }) => ({
      ...{ gameId, subCategoryId, name, showRate, selection, oddsFrom },
      betLatitudeId: known(ids.latitudes.get(latitude.name), latitude.name),
    })),
  );
  const made = await insertPlayWays(db, rows);
  const odds = playWaysIn(categories).flatMap(({ name, odds: own, oddsFrom }) => {
    const playWayId = known(made.get(name), name);
    return outcomesOf(own).map((each) => ({ ...each, playWayId, oddsFrom }));
  });
  const isOutcome = (each: { oddsFrom?: OddsFrom | undefined }) => each.oddsFrom === 'OUTCOME';
  const byNumber = odds.filter((each) => !isOutcome(each));
  await db
    .insertInto('odds')
    .values(
      byNumber.map(({ playWayId, name, odds: value }) => ({
        ...{ playWayId, odds: value },
        numberId: known(ids.numbers.get(name), name),
      })),
    )
    .execute();
  await insertOutcomes(
    db,
    odds.filter(isOutcome).map(({ playWayId, name, odds: value }) => ({ playWayId, name, odds: value })),
  );
}

/** Puts a preset in as a game of this name; nothing when the name is taken. */
export async function installPreset(
  db: Db,
  preset: Preset,
  { name, now, timeZone, ...switches }: Switches & At & { name: string },
): Promise<number | undefined> {
  const { openRate, stopBetSecond, phaseRule, introduce, resultRule } = preset;
  const today = dayOf(now.getTime() / 1000, timeZone);
  const gameId = await insertGame(db, {
    ...{ name, openRate, stopBetSecond, phaseRule, introduce, resultRule, ...switches },
    categoryId: await categoryOf(db, preset),
    phase: firstPhase(preset, { now, timeZone }),
    phaseTime: now,
  });
  if (gameId === undefined) return undefined;
  await replaceRanges(db, gameId, preset.timeRanges);
  const categories = preset.categories(today);
  const playWays = playWaysIn(categories);
  const numbers = await insertNumbers(db, gameId, playWays);
  const latitudes = await insertLatitudes(db, gameId, playWays);
  await insertTree(db, gameId, categories, { numbers, latitudes });
  return gameId;
}
