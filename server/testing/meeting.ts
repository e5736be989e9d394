import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** How many wait for a lock at this moment. */
export async function waitForLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Lets calls that write to one row meet, which left to themselves they seldom do: holds the row until all of them wait for a lock, and
 * lets go. `met` is false where one was answered without having waited.
 */
export async function meeting<T>(
  db: Db,
  table: string,
  id: number,
  begin: () => readonly Promise<T>[],
): Promise<{ answers: T[]; met: boolean }> {
  const { calls, met } = await db.transaction().execute(async (tx) => {
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(tx);
    let answered = false;
    const over = () => {
      answered = true;
    };
    const all = begin();
    for (const call of all) call.then(over, over);
    while (!answered && (await waitForLocks(db)) < all.length);
    return { calls: all, met: !answered };
  });
  return { answers: await Promise.all(calls), met };
}
