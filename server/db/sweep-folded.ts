import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Longer than what a busy quarter of a minute leaves. */
const LONG_BYTES = 1_048_576;
const MANY_ROWS = 1_000;

/** The tables that writers append to, and that are folded away. */
export type AppendedTable = 'list_delta' | 'report_delta' | 'exposure_delta';

/**
 * Sweeps away what was folded of a table that writers append to: readers walk over the dead rows until then. It waits for nobody and keeps
 * the table's length, since giving back its end would lock out every writer for a moment, and every reader of a replica for longer. Only
 * what a burst has left, a long table with hardly a row, is given back: every reader reads all of it.
 */
export async function sweepFolded(db: Db, table: AppendedTable): Promise<void> {
  const swept = sql.table(table);
  await sql`vacuum (skip_locked, truncate off) ${swept}`.execute(db);
  const { rows } = await sql<{ left: boolean }>`
    select pg_relation_size(${table}) > ${LONG_BYTES}::bigint
      and not exists (select from ${swept} offset ${MANY_ROWS}::int) as left`.execute(db);
  if (rows[0]?.left) await sql`vacuum (skip_locked, truncate on) ${swept}`.execute(db);
}
