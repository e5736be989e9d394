import { sql } from 'kysely';
import type { Db } from './database.ts';

/** After this many there may be more: the functions take only some at a time, since all could exceed the time limit of a statement. */
const MANY = 10_000;

/** Folds deltas in lots, while there are more and `goesOn` says so; gives how many it folded. Several servers may do so at once. */
export async function foldDeltas(
  db: Db,
  fold: 'fold_list_deltas' | 'fold_report' | 'fold_exposure',
  goesOn = () => true,
): Promise<number> {
  let folded = 0;
  while (true) {
    const { rows } = await sql<{ now: number | null }>`select ${sql.id(fold)}() as now`.execute(db);
    const now = rows[0]?.now ?? 0;
    folded += now;
    if (now < MANY || !goesOn()) return folded;
  }
}
