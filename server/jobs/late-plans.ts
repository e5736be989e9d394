import { markLatePlans, nextLate } from '#server/features/draw-plans/plan-life.ts';
import type { Part } from './part.ts';

/** No draw is late before it is thirty seconds late, so nothing new can be missed in between. */
export const latePlans: Part = {
  name: 'late-plans',
  what: '标出迟迟没有结果的期次',
  everyMs: 10_000,
  nextDue: ({ db }) => nextLate(db),
  run: async ({ db, clock, log }) => {
    for (const late of await markLatePlans(db, clock())) log.warn(late, 'a draw is late');
  },
};
