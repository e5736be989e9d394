import { pageDeposits } from '#contract/deposits.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { handlers } from '#server/http/handler.ts';
import { readOverview } from './overview-store.ts';

export const overviewHandlers = handlers({
  getOverview: ({ db, operator }) =>
    readOverview(db, {
      deposits: operator.may(pageDeposits, pageDeposits.path),
      withdrawals: operator.may(pageWithdrawals, pageWithdrawals.path),
      players: operator.may(pageUsers, pageUsers.path),
    }),
});
