import { getApprovalState } from '#contract/approvals.ts';
import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import type { Overview } from '#contract/overview.ts';
import { listParamSettings } from '#contract/param-settings.ts';
import { pageRebateRuns } from '#contract/rebates.ts';
import { pageSettlements } from '#contract/settlements.ts';
import { pageSpiders } from '#contract/spiders.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { handlers } from '#server/http/handler.ts';
import { stateFor } from '../approvals/approval-state.ts';
import { countNewAddresses } from '../sign-in-notices/operator-address-store.ts';
import { readOverview } from './overview-store.ts';

/** For whoever looks after the system. */
const systemTroubles = (replica: Overview['replica'] | undefined, background: readonly string[]) => ({
  replica: replica ?? null,
  background: background.length > 0 ? [...background] : null,
});

export const overviewHandlers = handlers({
  getOverview: async ({ db, operator, replicaTrouble, backgroundTroubles, now, config }) => ({
    ...(await readOverview(
      db,
      { now, timeZone: config.timeZone },
      {
        deposits: operator.may(pageDeposits),
        withdrawals: operator.may(pageWithdrawals),
        players: operator.may(pageUsers),
        plans: operator.may(pageDrawPlans),
        conflicts: operator.may(pageDrawRecords),
        spiders: operator.may(pageSpiders),
        bets: operator.may(pageSettlements),
        rebates: operator.may(pageRebateRuns),
      },
    )),
    approvals: operator.may(getApprovalState) ? await stateFor(db, operator) : null,
    newAddresses: (await countNewAddresses(db, operator.id)) || null,
    ...(operator.may(listParamSettings)
      ? systemTroubles(replicaTrouble, backgroundTroubles())
      : { replica: null, background: null }),
  }),
});
