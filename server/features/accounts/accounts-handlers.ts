import type { addBalance } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Context, handlers, inOneTrip, type Kept } from '#server/http/handler.ts';
import * as store from './account-store.ts';
import { type Move, moveByHand } from './move-store.ts';

/** An account's money moved by hand; the ledger names the operator, and why. */
const moving =
  (type: Move['type']) =>
  ({ db, operator }: Context, { id, balance, remark }: Input<typeof addBalance>, kept: Kept) => {
    const who = `操作员 ${operator.userName}`;
    const desc = remark ? `${who}：${remark}` : who;
    return moveByHand(db, { account: id, type, amount: balance, desc, remarked: Boolean(remark), kept });
  };

export const accountsHandlers = handlers({
  pageAccounts: ({ db }, filter) => store.pageAccountRows(db, filter),
  sumAccounts: ({ db }, filter) => store.sumAccountRows(db, filter),
  addBalance: inOneTrip(moving('MANUAL_ADDITION')),
  subtractBalance: inOneTrip(moving('MANUAL_DEDUCTION')),
});
