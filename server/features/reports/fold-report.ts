import type { Db } from '#server/db/database.ts';
import { foldDeltas } from '#server/db/fold-deltas.ts';

/** Folds what slips appended to the report; harmless by more servers than one. Returns how much there was. */
export const foldReport = (db: Db, goesOn?: () => boolean) => foldDeltas(db, 'fold_report', goesOn);
