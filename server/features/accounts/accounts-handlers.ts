import { type Context, handlers } from '#server/http/handler.ts';
import { postToAccount } from '../ledger/ledger-store.ts';
import * as store from './account-store.ts';

type ManualChange = 'MANUAL_ADDITION' | 'MANUAL_DEDUCTION';

/** Moves an account's money by hand; the ledger names the operator. */
async function move(context: Context, id: number, changeType: ManualChange, amount: string): Promise<true> {
  const { originAmount, newAmount } = await postToAccount(context.db, id, {
    changeType,
    amount,
    bizOrderNo: null,
    desc: `操作员 ${context.operator.userName}`,
  });
  context.say('操作成功');
  context.remark({ before: { totalAmount: originAmount }, after: { totalAmount: newAmount } });
  return true;
}

export const accountsHandlers = handlers({
  pageAccounts: ({ db }, filter) => store.pageAccountRows(db, filter),
  addBalance: (context, { id, balance }) => move(context, id, 'MANUAL_ADDITION', balance),
  subtractBalance: (context, { id, balance }) => move(context, id, 'MANUAL_DEDUCTION', balance),
});
