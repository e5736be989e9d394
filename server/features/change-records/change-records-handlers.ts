import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findChange, pageChangeRecords } from './change-record-store.ts';
import { namesIn } from './names-in.ts';

export const changeRecordsHandlers = handlers({
  pageChangeRecords: ({ db }, filter) => pageChangeRecords(db, filter),

  listChangedNames: async ({ db }, { id }) => {
    const change = await findChange(db, id);
    if (!change) throw new Refusal('recordNotFound');
    return namesIn(db, change);
  },
});
