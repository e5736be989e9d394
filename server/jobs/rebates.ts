import { nextPayment, payReleased } from '#server/features/rebates/pay-run.ts';
import { prepareRun } from '#server/features/rebates/prepare-run.ts';
import type { Part } from './part.ts';

/** Works out what a day that is over would pay, as often as it changes, so that somebody can look at it and release it. */
export const rebateRuns: Part = {
  name: 'rebate-runs',
  what: '备好已结束平台日的返水、返点与邀请奖励',
  everyMs: 15_000,
  // A day's slips are read once.
  patienceMs: 30 * 60_000,
  run: async ({ db, log }) => {
    const day = await prepareRun(db);
    if (day !== undefined) log.info({ day }, 'rebates prepared');
  },
};

/** Pays what was released, on all servers at once. */
export const rebatePayments: Part = {
  name: 'rebate-payments',
  what: '发放已放行的返水、返点与邀请奖励',
  everyMs: 2_000,
  patienceMs: 5 * 60_000,
  nextDue: ({ db }) => nextPayment(db),
  run: ({ db }, turn) => payReleased(db, turn.isStopping),
};
