import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { unfreeze } from '../accounts/account-store.ts';
import { post } from '../ledger/ledger-store.ts';
import { decide } from '../orders/decision.ts';
import * as store from './withdrawal-store.ts';

interface Payer {
  fromName?: string | undefined;
  fromAccountNo?: string | undefined;
}

/** Who paid, kept with the decision; nobody pays what is rejected. Throws `invalid`. */
async function keepPayer(db: Db, id: number, action: 'PAID' | 'REJECT', payer: Payer): Promise<void> {
  const field = payer.fromName !== undefined ? 'fromName' : 'fromAccountNo';
  if (payer[field] === undefined) return;
  if (action === 'REJECT')
    throw new Refusal('invalid', { field, values: { message: '拒绝时不能填写付款人' } });
  await store.setPayer(db, id, payer);
}

export const withdrawalsHandlers = handlers({
  pageWithdrawals: ({ db }, filter) => store.pageWithdrawalRows(db, filter),

  markWithdrawal: async (context, { id, action, remark = null, ...payer }) => {
    await keepPayer(context.db, id, action, payer);
    const status = action === 'PAID' ? 'SUCCESS' : 'FAIL';
    const decision = { id, status, reviewer: context.operator.userName, remark } as const;
    const { userId, amount } = await decide(context.db, 'withdrawal', decision);
    if (action === 'PAID') {
      const entry = { userId, changeType: 'WITHDRAW', amount, bizOrderNo: String(id), desc: remark } as const;
      const { originAmount, newAmount } = await post(context.db, { ...entry, frozen: true });
      context.remark({ before: { totalAmount: originAmount }, after: { status, totalAmount: newAmount } });
    } else {
      await unfreeze(context.db, userId, amount);
      context.remark({ after: { status } });
    }
    return true as const;
  },
});
