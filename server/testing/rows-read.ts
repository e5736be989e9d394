import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Rows that this session has looked at so far, by scans and in indexes, of those tables; of all of them without any. */
async function readSoFar(tx: Db, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(seq_tup_read + coalesce((select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = relid), 0)), 0)::int as n
    from pg_stat_xact_user_tables where ${tables.length === 0 ? sql`true` : sql`relname = any(${tables}::text[])`}`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

/**
 * How many rows `work` looks at of those tables, of all of them without any. The database's counts go on over transactions of a session
 * until it hands them in, about once a second, so that only a difference within one transaction tells what was read in it.
 */
export const rowsRead = (
  db: Db,
  tables: readonly string[],
  work: (tx: Db) => Promise<unknown>,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const before = await readSoFar(tx, tables);
    await work(tx);
    return (await readSoFar(tx, tables)) - before;
  });
