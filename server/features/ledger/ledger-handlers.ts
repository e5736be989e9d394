import { handlers } from '#server/http/handler.ts';
import { pageAccountHistory, sumAccountHistory } from './ledger-page.ts';

export const ledgerHandlers = handlers({
  pageAccountHistory: ({ db }, filter) => pageAccountHistory(db, filter),
  sumAccountHistory: ({ db }, filter) => sumAccountHistory(db, filter),
});
