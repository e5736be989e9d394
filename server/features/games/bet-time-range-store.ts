import type { BetTimeRange } from '#contract/games.ts';
import type { Db } from '#server/db/database.ts';
import { isEveryDay, type TimeRange } from './bet-time-ranges.ts';

type RangeRow = Omit<BetTimeRange, 'openRate' | 'weekdays'> & {
  gameId: number;
  openRate: number | null;
  weekdays: number[] | null;
};

/** The ranges of these games, each game's by start. */
export async function listRanges(db: Db, gameIds: readonly number[]): Promise<RangeRow[]> {
  if (gameIds.length === 0) return [];
  return db
    .selectFrom('bet_time_range')
    .selectAll()
    .where('gameId', 'in', gameIds)
    .orderBy('gameId')
    .orderBy('start')
    .execute();
}

export async function findRange(db: Db, id: number): Promise<RangeRow | undefined> {
  return db.selectFrom('bet_time_range').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertRange(db: Db, gameId: number, range: TimeRange): Promise<number> {
  const { start, end, openRate = null } = range;
  const weekdays = isEveryDay(range) ? null : (range.weekdays?.toSorted() ?? null);
  const row = db.insertInto('bet_time_range').values({ gameId, start, end, openRate, weekdays });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

export async function deleteRange(db: Db, id: number): Promise<void> {
  await db.deleteFrom('bet_time_range').where('id', '=', id).execute();
}

/** Makes these the ranges of a game. */
export async function replaceRanges(db: Db, gameId: number, ranges: readonly TimeRange[]): Promise<void> {
  await db.deleteFrom('bet_time_range').where('gameId', '=', gameId).execute();
  for (const range of ranges) await insertRange(db, gameId, range);
}
