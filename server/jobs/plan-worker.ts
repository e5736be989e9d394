import { generateAhead } from '#server/features/draw-plans/generate-ahead.ts';
import { worker } from './workers.ts';

declare module '#server/db/job-queue.ts' {
  interface Jobs {
    'draw-plans': object;
  }
}

/** Looks every ten minutes whether there are plans to be made, so that an outage in the evening costs ten minutes. */
export const planWorker = worker({
  queue: 'draw-plans',
  pollSeconds: 10,
  schedule: '*/10 * * * *',
  run: async ({ db, config, clock, log }) => {
    for (const { failure, ...ahead } of await generateAhead(db, clock(), config.timeZone))
      if (failure) log.warn({ ...ahead, failure }, 'plans could not be generated');
      else log.info(ahead, 'plans generated');
  },
});
