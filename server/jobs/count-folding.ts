import { foldCounts, sweepFolded } from '#server/db/counted-list.ts';
import type { Part } from './part.ts';

/**
 * Dead rows are worth sweeping when there are many, and not all the time: every sweep is replayed by replicas, where it is in the
 * way of long queries. Fewer are left to the database's own sweeper, which comes once a minute.
 */
const WORTH_SWEEPING = 1_000;
const SWEEP_EVERY_MS = 10_000;

/** As long as there is something to fold, and when there was nothing the last time. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** Whoever comes while another folds goes away again, and nothing is lost while nobody does: lists only take longer to count. */
export function countFolding(): Part {
  let dead = 0;
  let sweptAt = performance.now();
  let next: number | undefined;
  return {
    name: 'fold-counts',
    what: '归并列表的计数',
    everyMs: IDLE_MS,
    anyClock: true,
    nextDue: async ({ clock }) => (next ??= clock().getTime()),
    run: async ({ db, clock }, turn) => {
      const folded = await foldCounts(db);
      next = clock().getTime() + (folded > 0 ? BUSY_MS : IDLE_MS);
      dead += folded;
      if (turn.isStopping() || dead < WORTH_SWEEPING || performance.now() - sweptAt < SWEEP_EVERY_MS) return;
      dead = 0;
      sweptAt = performance.now();
      await sweepFolded(db);
    },
  };
}
