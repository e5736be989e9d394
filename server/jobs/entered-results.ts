import { nextEntry, takeEntry } from '#server/features/draw-records/enter-result.ts';
import type { Part } from './part.ts';
import type { Signal } from './signal.ts';

/** Results entered by hand, once they have waited; a source that spoke meanwhile has won. */
export function enteredResults(drawn: Signal): Part {
  return {
    name: 'entered-results',
    what: '人工录入的结果等待期满后生效',
    everyMs: 2_000,
    nextDue: ({ db }) => nextEntry(db),
    run: async ({ db, clock }, turn) => {
      while (!turn.isStopping() && (await takeEntry(db, clock()))) drawn.give();
    },
  };
}
