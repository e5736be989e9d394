import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Where so many were folded there may be more: the functions take no more than some at a time, since all could take longer than a statement may. */
const MANY = 10_000;

/** Folds what writers appended, lot by lot as long as there is more and it `goesOn`; tells how many pieces there were. Harmless by more servers than one. */
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
