import { foldExposure } from '#server/features/exposure/exposure-store.ts';
import type { Part } from './part.ts';

/** As long as there is something to fold, and when there was nothing the last time. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** Nothing is lost while nobody folds: exposure only takes longer to add up. */
export function exposureFolding(): Part {
  let next: number | undefined;
  return {
    name: 'fold-exposure',
    what: '归并单期风险',
    everyMs: IDLE_MS,
    anyClock: true,
    nextDue: async ({ clock }) => (next ??= clock().getTime()),
    run: async ({ db, clock }) => {
      const folded = await foldExposure(db);
      next = clock().getTime() + (folded > 0 ? BUSY_MS : IDLE_MS);
    },
  };
}
