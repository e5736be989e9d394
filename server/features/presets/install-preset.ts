import type { Db } from '#server/db/database.ts';
import {
  findGameCategoryByName,
  insertGameCategory,
  lastIndex,
} from '../game-categories/game-category-store.ts';
import { replaceRanges } from '../games/bet-time-range-store.ts';
import { firstPhase } from '../games/first-phase.ts';
import { insertGame, platformTime } from '../games/game-store.ts';
import { insertPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import { insertPlayWay } from '../play-ways/play-way-store.ts';
import type { Preset, PresetCategory, PresetPlayWay } from './preset.ts';

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
  const made = { name, iconClass: categoryIcon, index: (await lastIndex(db)) + 1 };
  return (await insertGameCategory(db, made)) ?? 0;
}

async function insertNumbers(db: Db, gameId: number, playWays: readonly PresetPlayWay[]) {
  const numbers = new Set(playWays.flatMap(({ odds }) => odds.flatMap(([each]) => each)));
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
  for (const { name, subCategories } of categories) {
    const parentCategoryId =
      (await insertPlayWayCategory(db, { ...laidOut, name, parentCategoryId: null })) ?? 0;
    for (const { playWays, ...sub } of subCategories) {
      const subCategoryId = (await insertPlayWayCategory(db, { ...laidOut, ...sub, parentCategoryId })) ?? 0;
      for (const { name, showRate = null, latitude, odds: own } of playWays) {
        const betLatitudeId = ids.latitudes.get(latitude.name) ?? 0;
        const playWayId =
          (await insertPlayWay(db, { gameId, subCategoryId, betLatitudeId, name, showRate })) ?? 0;
        for (const [numbers, value] of own)
          for (const number of numbers)
            odds.push({ playWayId, numberId: ids.numbers.get(number) ?? 0, odds: value });
      }
    }
  }
  await db.insertInto('odds').values(odds).execute();
}

/** Puts a preset in as a game of this name; nothing when the name is taken. */
export async function installPreset(
  db: Db,
  preset: Preset,
  { name, now, ...switches }: Switches & { name: string; now: Date },
): Promise<number | undefined> {
  const { openRate, stopBetSecond, phaseRule, introduce, serialDigits } = preset;
  const today = (await platformTime(db, now)).slice(0, 10);
  const gameId = await insertGame(db, {
    ...{ name, openRate, stopBetSecond, phaseRule, introduce, ...switches },
    categoryId: await categoryOf(db, preset),
    phase: firstPhase(phaseRule, today, serialDigits),
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
