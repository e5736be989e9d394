import { type RawBuilder, sql } from 'kysely';
import type { BetTimeRange } from '#contract/games.ts';
import type { Db } from '#server/db/database.ts';
import { added, removed } from '#server/db/rows.ts';
import { isEveryDay, type TimeRange } from '../draw-plans/bet-time-ranges.ts';

type RangeRow = Omit<BetTimeRange, 'openRate' | 'weekdays'> & {
  gameId: number;
  openRate: number | null;
  weekdays: number[] | null;
};

/** What asks for the ranges of these games, each game's by start. */
export const rangesOf = (gameIds: readonly number[]): RawBuilder<RangeRow> =>
  sql`select * from bet_time_range where "gameId" = any(${gameIds}) order by "gameId", start`;

/** The ranges of these games, each game's by start. */
export const listRanges = async (db: Db, gameIds: readonly number[]): Promise<RangeRow[]> =>
  gameIds.length === 0 ? [] : (await rangesOf(gameIds).execute(db)).rows;

export async function findRange(db: Db, id: number): Promise<RangeRow | undefined> {
  return db.selectFrom('bet_time_range').selectAll().where('id', '=', id).executeTakeFirst();
}

const columnsOf = (range: TimeRange) => ({
  start: range.start,
  end: range.end,
  openRate: range.openRate ?? null,
  weekdays: isEveryDay(range) ? null : (range.weekdays?.toSorted() ?? null),
});

export async function addRange(db: Db, gameId: number, range: TimeRange): Promise<number> {
  return (await added(db, 'bet_time_range', { gameId, ...columnsOf(range) })).id;
}

/** Makes these the ranges of a game. Those it has already stay. */
export async function replaceRanges(db: Db, gameId: number, ranges: readonly TimeRange[]): Promise<void> {
  const keyOf = (range: TimeRange) => JSON.stringify(columnsOf(range));
  const wanted = new Map(ranges.map((range) => [keyOf(range), range]));
  for (const range of await listRanges(db, [gameId]))
    if (!wanted.delete(keyOf(range))) await removed(db, 'bet_time_range', range.id);
  for (const range of wanted.values()) await addRange(db, gameId, range);
}
