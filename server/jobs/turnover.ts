import { countTurnover } from '#server/features/turnover-requirements/count-turnover.ts';
import type { Part } from './part.ts';

/** Nothing is lost while nobody counts: a withdrawal only takes longer to be checked. */
export const turnover: Part = {
  name: 'turnover',
  what: '累计须完成流水的用户在已结算期次的有效投注',
  everyMs: 10_000,
  anyClock: true,
  // After a long rest there may be many settlements.
  patienceMs: 30 * 60_000,
  run: async ({ db }, turn) => {
    while (!turn.isStopping() && (await countTurnover(db)));
  },
};
