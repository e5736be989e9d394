import { handlers } from '#server/http/handler.ts';
import { pageLoginRecords } from './login-record-store.ts';

export const loginRecordsHandlers = handlers({
  pageLoginRecords: ({ db }, filter) => pageLoginRecords(db, filter),
});
