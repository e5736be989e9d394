import type { NamedRow } from '#contract/change-records.ts';
import { type Recorded, rowsNamedIn } from '#contract/recorded-fields.ts';
import type { Db } from '#server/db/database.ts';
import { namedRows } from '#server/db/noun-rows.ts';

/** What the rows that a change names are called now, as far as there still are any. */
export async function namesIn(db: Db, change: Recorded): Promise<NamedRow[]> {
  const named: NamedRow[] = [];
  for (const [noun, ids] of rowsNamedIn(change))
    named.push(...(await namedRows(db, noun, [...ids])).map((row) => ({ noun, ...row })));
  return named;
}
