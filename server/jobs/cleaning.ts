import { type Cleaning, cleanings } from '#server/features/cleaning/cleanings.ts';
import type { JobServices, Part } from './part.ts';

const BATCH = 1_000;
/** Others get the database between two batches. */
const BREATH_MS = 50;

interface Options {
  kinds?: readonly Cleaning[];
  batch?: number;
  isStopped?: () => boolean;
}
type Services = Pick<JobServices, 'db' | 'log'>;

/** Cleans each in batches until nothing is left; one that fails keeps none of the others from its turn. Tells what failed. */
export async function cleanAll(
  { db, log }: Services,
  { kinds = cleanings, batch = BATCH, isStopped = () => false }: Options = {},
): Promise<string[]> {
  const failed: string[] = [];
  for (const { what, clean } of kinds) {
    let deleted = 0;
    try {
      for (let last = batch; last >= batch && !isStopped(); deleted += last) {
        last = await clean(db, batch);
        if (last >= batch) await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
      }
    } catch (error) {
      failed.push(what);
      log.warn({ what, error: error instanceof Error ? error.message : error }, 'cleaning');
    }
    if (deleted > 0) log.info({ what, deleted }, 'cleaned');
  }
  return failed;
}

/** Cleans a minute after the start and every ten minutes; servers share the work out. */
export const cleaning: Part = {
  name: 'cleaning',
  what: '清理过期数据',
  firstMs: 60_000,
  everyMs: 10 * 60_000,
  anyClock: true,
  // After a long rest there may be millions of rows.
  patienceMs: 60 * 60_000,
  run: async (services, turn) => {
    const failed = await cleanAll(services, { isStopped: turn.isStopping });
    if (failed.length > 0) throw new Error(`not cleaned: ${failed.join(', ')}`);
  },
};
