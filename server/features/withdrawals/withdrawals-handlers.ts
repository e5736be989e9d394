import { handlers } from '#server/http/handler.ts';
import { unfreeze } from '../accounts/account-store.ts';
import { post } from '../ledger/ledger-store.ts';
import { decide } from '../orders/decision.ts';
import * as store from './withdrawal-store.ts';

export const withdrawalsHandlers = handlers({
  pageWithdrawals: ({ db }, filter) => store.pageWithdrawalRows(db, filter),

  markWithdrawal: async (context, { id, action, remark = null }) => {
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
