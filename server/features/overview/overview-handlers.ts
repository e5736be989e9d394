import { getApprovalState } from '#contract/approvals.ts';
import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { listParamSettings } from '#contract/params-settings.ts';
import { pageSettlements } from '#contract/settlements.ts';
import { pageSpiders } from '#contract/spiders.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { handlers } from '#server/http/handler.ts';
import { stateFor } from '../approvals/approval-state.ts';
import { countNewAddresses } from '../sign-in-notices/operator-address-store.ts';
import { readOverview } from './overview-store.ts';

export const overviewHandlers = handlers({
  getOverview: async ({ db, operator, replicaTrouble, now, config }) => ({
    ...(await readOverview(
      db,
      { now, timeZone: config.timeZone },
      {
        deposits: operator.may(pageDeposits, pageDeposits.path),
        withdrawals: operator.may(pageWithdrawals, pageWithdrawals.path),
        players: operator.may(pageUsers, pageUsers.path),
        plans: operator.may(pageDrawPlans, pageDrawPlans.path),
        conflicts: operator.may(pageDrawRecords, pageDrawRecords.path),
        spiders: operator.may(pageSpiders, pageSpiders.path),
        bets: operator.may(pageSettlements, pageSettlements.path),
      },
    )),
    approvals: operator.may(getApprovalState, getApprovalState.path) ? await stateFor(db, operator) : null,
    newAddresses: (await countNewAddresses(db, operator.id)) || null,
    // For whoever looks after the system.
    replica: (operator.may(listParamSettings, listParamSettings.path) && replicaTrouble) || null,
  }),
});
