import { foldCounts } from '#server/db/counted-list.ts';
import type { JobServices } from './workers.ts';

const EVERY_MS = 1_000;

/**
 * Folds the deltas of counted lists every second. Each server does: whoever comes while another folds goes away again, and
 * nothing is lost while nobody does, lists only take longer to count.
 */
export function startFolding({ db, log }: Pick<JobServices, 'db' | 'log'>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let folding = Promise.resolve();
  const fold = async (): Promise<void> => {
    await foldCounts(db).catch((error: Error) => log.warn({ error: error.message }, 'folding counts'));
    if (!stopped) timer = setTimeout(start, EVERY_MS).unref();
  };
  const start = (): void => {
    folding = fold();
  };
  start();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await folding;
    },
  };
}
