import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Found } from '#contract/finding.ts';
import { pageGames } from '#contract/games.ts';
import { pageSlips } from '#contract/slips.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { handlers } from '#server/http/handler.ts';
import { find } from './find-store.ts';

/** Whoever may make this call may find its rows. */
const lists: Readonly<Record<Found['noun'], AnyEndpoint>> = {
  user: pageUsers,
  game: pageGames,
  deposit: pageDeposits,
  withdrawal: pageWithdrawals,
  slip: pageSlips,
  drawPlan: pageDrawPlans,
  drawRecord: pageDrawRecords,
};

const isFindable = (noun: string): noun is Found['noun'] => noun in lists;
const nounsFor = (operator: SignedIn): Found['noun'][] =>
  Object.keys(lists)
    .filter(isFindable)
    .filter((noun) => operator.may(lists[noun]));

export const findingHandlers = handlers({
  findRows: ({ db, operator }, { text }) => find(db, text, nounsFor(operator)),
});
