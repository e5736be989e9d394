import type { addBalance } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { postToAccount } from '../ledger/ledger-store.ts';
import { demandRemark } from '../params-settings/param-rules.ts';
import * as store from './account-store.ts';

type ManualChange = 'MANUAL_ADDITION' | 'MANUAL_DEDUCTION';

type Move = Input<typeof addBalance>;

/** Moves an account's money by hand; the ledger names the operator, and why. */
async function move(
  context: Context,
  changeType: ManualChange,
  { id, balance, remark }: Move,
): Promise<true> {
  await demandRemark(context.db, balance, remark ?? undefined);
  const operator = `操作员 ${context.operator.userName}`;
  const { originAmount, totalAmount } = await postToAccount(context.db, id, {
    changeType,
    amount: balance,
    desc: remark ? `${operator}：${remark}` : operator,
  });
  context.say('操作成功');
  context.remark({ before: { totalAmount: originAmount }, after: { totalAmount } });
  return true;
}

export const accountsHandlers = handlers({
  pageAccounts: ({ db }, filter) => store.pageAccountRows(db, filter),
  addBalance: (context, input) => move(context, 'MANUAL_ADDITION', input),
  subtractBalance: (context, input) => move(context, 'MANUAL_DEDUCTION', input),
});
