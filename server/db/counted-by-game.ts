import { sql } from 'kysely';
import type { CountedList } from './counted-list.ts';
import type { Db } from './database.ts';

/** The keys of lists that are counted by game and status together; nothing when neither was asked for. */
export async function gameKeys(
  db: Db,
  { gameId, status }: { readonly gameId?: number | undefined; readonly status?: string | undefined },
  statuses: readonly string[],
): Promise<string[] | undefined> {
  if (gameId === undefined && status === undefined) return undefined;
  const games = gameId === undefined ? await db.selectFrom('game').select('id').execute() : [{ id: gameId }];
  return games.flatMap(({ id }) => (status ? [status] : statuses).map((each) => `${id}/${each}`));
}

/** Keys are always all statuses asked for of all games asked for; so said, the indexes of a game's rows serve. */
export const ofGameKeys: NonNullable<CountedList['ofKeys']> = (keys) => {
  if (!keys) return sql`true`;
  const [games = [], statuses = []] = [0, 1].map((part) => [
    ...new Set(keys.map((key) => key.split('/')[part])),
  ]);
  // Of one game said as such: a plan made for lists of any length would rather look through all games' rows of a time.
  const ofGames = games.length === 1 ? sql`"gameId" = ${games[0]}` : sql`"gameId" = any(${games}::bigint[])`;
  return sql`${ofGames} and status = any(${statuses}::text[])`;
};
