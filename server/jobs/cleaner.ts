import { type Cleaning, cleanings } from '#server/features/cleaning/cleanings.ts';
import type { JobServices } from './workers.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
const BATCH = 1_000;
/** Others get the database between two batches. */
const BREATH_MS = 50;

interface Options {
  parts?: readonly Cleaning[];
  batch?: number;
  isStopped?: () => boolean;
}
type Services = Pick<JobServices, 'db' | 'log'>;

/** Cleans each in batches until nothing is left; one that fails keeps none of the others from its turn. */
export async function cleanAll(
  { db, log }: Services,
  { parts = cleanings, batch = BATCH, isStopped = () => false }: Options = {},
): Promise<void> {
  for (const { what, clean } of parts) {
    let deleted = 0;
    try {
      for (let last = batch; last >= batch && !isStopped(); deleted += last) {
        last = await clean(db, batch);
        if (last >= batch) await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
      }
    } catch (error) {
      log.warn({ what, error: error instanceof Error ? error.message : error }, 'cleaning');
    }
    if (deleted > 0) log.info({ what, deleted }, 'cleaned');
  }
}

/** Cleans a minute after the start and every ten minutes; each server does, and they share the work out. */
export function startCleaning(services: Services): { stop: () => Promise<void> } {
  let stopped = false;
  let running = Promise.resolve();
  const clean = async (): Promise<void> => {
    await cleanAll(services, { isStopped: () => stopped });
    if (!stopped) timer = setTimeout(start, EVERY_MS).unref();
  };
  const start = (): void => {
    running = clean();
  };
  let timer = setTimeout(start, FIRST_MS).unref();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
