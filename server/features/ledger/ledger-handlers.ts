import { handlers } from '#server/http/handler.ts';
import { pageLedger } from './ledger-page.ts';

export const ledgerHandlers = handlers({
  pageAccountHistory: ({ db }, filter) => pageLedger(db, filter),
});
