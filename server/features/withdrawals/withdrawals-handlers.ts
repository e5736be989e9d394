import type { Input } from '#contract/endpoint.ts';
import type { markWithdrawal } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { wrong } from '#server/refusal.ts';
import { post } from '../ledger/ledger-store.ts';
import { decideOrder } from '../orders/decision.ts';
import { sumOrders } from '../orders/order-page.ts';
import * as store from './withdrawal-store.ts';

type Payer = Pick<Input<typeof markWithdrawal>, 'fromName' | 'fromAccountNo'>;

/** Who paid, kept with the decision; nobody pays what is rejected. Throws `invalid`. */
async function keepPayer(db: Db, id: number, action: 'PAID' | 'REJECT', payer: Payer): Promise<void> {
  const field = payer.fromName !== undefined ? 'fromName' : 'fromAccountNo';
  if (payer[field] === undefined) return;
  if (action === 'REJECT') throw wrong(field, '拒绝时不能填写付款人');
  await store.setPayer(db, id, payer);
}

export const withdrawalsHandlers = handlers({
  pageWithdrawals: ({ db }, filter) => store.pageWithdrawals(db, filter),

  sumWithdrawals: ({ db }, filter) => sumOrders(db, 'withdrawal', filter),

  markWithdrawal: async (context, { id, action, remark = null, ...payer }) => {
    await keepPayer(context.db, id, action, payer);
    const status = action === 'PAID' ? 'SUCCESS' : 'FAIL';
    const decision = { id, status, reviewer: context.operator, remark } as const;
    const { userId, amount } = await decideOrder(context.db, 'withdrawal', decision);
    const entry = { userId, amount, bizOrderNo: String(id), desc: remark };
    if (action === 'PAID') {
      const paid = await post(context.db, { ...entry, changeType: 'WITHDRAW', source: 'FROZEN' });
      const { originAmount, totalAmount } = paid;
      context.remark({ before: { totalAmount: originAmount }, after: { status, totalAmount } });
    } else {
      const { originAmount, totalAmount } = await post(context.db, { ...entry, changeType: 'UNFREEZE' });
      // What is given back pays off what is owed first.
      const repaid = originAmount === totalAmount ? {} : { totalAmount };
      context.remark({ after: { status, ...repaid } });
    }
    return true as const;
  },
});
