import { handlers } from '#server/http/handler.ts';
import { pageReport } from './report-store.ts';

export const reportsHandlers = handlers({
  pageReport: ({ db }, filter) => pageReport(db, filter),
});
