import { handlers } from '#server/http/handler.ts';
import { post } from '../ledger/ledger-store.ts';
import { decideOrder } from '../orders/decision.ts';
import { sumOrders } from '../orders/order-page.ts';
import { requireTurnover } from '../turnover-requirements/requirement-store.ts';
import * as store from './deposit-store.ts';

export const depositsHandlers = handlers({
  pageDeposits: ({ db }, filter) => store.pageDeposits(db, filter),

  sumDeposits: ({ db }, filter) => sumOrders(db, 'deposit', filter),

  reviewDeposit: async (context, { id, action, remark = null }) => {
    const status = action === 'PASS' ? 'SUCCESS' : 'FAIL';
    const decision = { id, status, reviewer: context.operator, remark } as const;
    const { userId, amount } = await decideOrder(context.db, 'deposit', decision);
    if (action === 'PASS') {
      const entry = { userId, changeType: 'RECHARGE', amount, bizOrderNo: String(id), desc: remark } as const;
      const { id: historyId, originAmount, totalAmount } = await post(context.db, entry);
      if (historyId !== null) await requireTurnover(context.db, [historyId]);
      context.remark({ before: { totalAmount: originAmount }, after: { status, totalAmount } });
    } else context.remark({ after: { status } });
    return true as const;
  },
});
