import { payReleased } from '#server/features/rebates/pay-run.ts';
import { prepareRun } from '#server/features/rebates/prepare-run.ts';
import type { Part } from './part.ts';

/**
 * Pays what was released, on all servers at once, and works out what a day that is over would pay, as often as it changes, so that somebody
 * can look at it and release it.
 */
export const rebates: Part = {
  name: 'rebates',
  what: '备好已结束平台日的返水、返点与邀请奖励，发放已放行的',
  everyMs: 5_000,
  // A day's slips are read once.
  patienceMs: 30 * 60_000,
  run: async ({ db, log }, turn) => {
    await payReleased(db, turn.isStopping);
    const day = await prepareRun(db);
    if (day !== undefined) log.info({ day }, 'rebates prepared');
  },
};
