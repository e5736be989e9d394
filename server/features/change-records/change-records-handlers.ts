import type { NamedRow } from '#contract/change-records.ts';
import { rowsNamedIn } from '#contract/recorded-fields.ts';
import { namedRows } from '#server/db/noun-rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findChange, pageChangeRecords } from './change-record-store.ts';

export const changeRecordsHandlers = handlers({
  pageChangeRecords: ({ db }, filter) => pageChangeRecords(db, filter),

  listChangedNames: async ({ db }, { id }) => {
    const change = await findChange(db, id);
    if (!change) throw new Refusal('recordNotFound');
    const named: NamedRow[] = [];
    for (const [noun, ids] of rowsNamedIn(change))
      named.push(...(await namedRows(db, noun, [...ids])).map((row) => ({ noun, ...row })));
    return named;
  },
});
