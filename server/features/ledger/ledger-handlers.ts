import { handlers } from '#server/http/handler.ts';
import { pageLedger, sumLedger } from './ledger-page.ts';

export const ledgerHandlers = handlers({
  pageAccountHistory: ({ db }, filter) => pageLedger(db, filter),
  sumAccountHistory: ({ db }, filter) => sumLedger(db, filter),
});
