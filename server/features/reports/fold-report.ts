import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Folds what slips appended to the report; harmless by more servers than one. Returns how much there was. */
export async function foldReport(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number | null }>`select fold_report() as folded`.execute(db);
  return rows[0]?.folded ?? 0;
}
