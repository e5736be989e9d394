import { generateAhead } from '#server/features/draw-plans/generate-ahead.ts';
import type { Part } from './part.ts';

/** Every ten minutes, so that an outage in the evening costs ten minutes; a game's day is claimed by one server. */
export const plansAhead: Part = {
  name: 'plans-ahead',
  what: '自动生成开奖计划',
  everyMs: 10 * 60_000,
  // A day of draws every second is 86,400 plans.
  patienceMs: 5 * 60_000,
  run: async ({ db, config, clock, log }) => {
    for (const { failure, ...ahead } of await generateAhead(db, clock(), config.timeZone))
      if (failure) log.warn({ ...ahead, failure }, 'plans could not be generated');
      else log.info(ahead, 'plans generated');
  },
};
