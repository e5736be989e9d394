import { handlers } from '#server/http/handler.ts';
import { pageChangeRecords } from './change-record-store.ts';

export const changeRecordsHandlers = handlers({
  pageChangeRecords: ({ db }, filter) => pageChangeRecords(db, filter),
});
