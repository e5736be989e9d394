import { foldCounts, sweepFolded } from '#server/db/counted-list.ts';
import { runPart } from './parts.ts';
import type { JobServices } from './workers.ts';

const EVERY_MS = 1_000;
/**
 * Dead rows are worth sweeping when there are many, and not all the time: every sweep is replayed by replicas, where it is in the
 * way of long queries. Fewer are left to the database's own sweeper, which comes once a minute.
 */
const WORTH_SWEEPING = 1_000;
const SWEEP_EVERY_MS = 10_000;

/**
 * Folds the deltas of counted lists every second. Each server does: whoever comes while another folds goes away again, and
 * nothing is lost while nobody does, lists only take longer to count.
 */
export function startFolding({ db, log }: Pick<JobServices, 'db' | 'log'>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let folding = Promise.resolve();
  let dead = 0;
  let sweptAt = performance.now();
  const look = async (): Promise<void> => {
    dead += await foldCounts(db);
    if (stopped || dead < WORTH_SWEEPING || performance.now() - sweptAt < SWEEP_EVERY_MS) return;
    dead = 0;
    sweptAt = performance.now();
    await sweepFolded(db);
  };
  const fold = async (): Promise<void> => {
    await runPart(log, 'fold-counts', look);
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
