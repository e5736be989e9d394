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
import { insertPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
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

/** The tree from categories to odds. Names within a preset are unique; a preset that is not would be a bug. */
async function insertTree(
  db: Db,
  gameId: number,
  categories: readonly PresetCategory[],
  ids: { numbers: Ids; latitudes: Ids },
): Promise<void> {
  const laidOut = { gameId, countOfRows: 5, hideName: false };
  const odds: { playWayId: number; numberId: number; odds: string }[] = [];
  const outcomes: (OutcomeOdds & { playWayId: number })[] = [];
  for (const { name, subCategories } of categories) {
    const top = { ...laidOut, name, parentCategoryId: null };
    const parentCategoryId = known(await insertPlayWayCategory(db, top), name);
    for (const { playWays, ...sub } of subCategories) {
      const below = { ...laidOut, ...sub, parentCategoryId };
      const subCategoryId = known(await insertPlayWayCategory(db, below), sub.name);
      const made = await insertPlayWays(
        db,
        playWays.map(({ name, showRate = null, latitude, selection = null, oddsFrom = 'NUMBER' }) => ({
          ...{ gameId, subCategoryId, name, showRate, selection, oddsFrom },
          betLatitudeId: known(ids.latitudes.get(latitude.name), latitude.name),
        })),
      );
      for (const { name, odds: own, oddsFrom } of playWays) {
        const playWayId = known(made.get(name), name);
        if (oddsFrom === 'OUTCOME') outcomes.push(...outcomesOf(own).map((each) => ({ ...each, playWayId })));
        else
          for (const [numbers, value] of own)
            for (const number of numbers)
              odds.push({ playWayId, numberId: known(ids.numbers.get(number), number), odds: value });
      }
    }
  }
  await db.insertInto('odds').values(odds).execute();
  await insertOutcomes(db, outcomes);
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
