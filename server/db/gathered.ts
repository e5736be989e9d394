import { isOutage } from './driver/outage.ts';
import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

/** An outage that took this long to show is the database's, not one connection's. */
const LONG_MS = 1_000;

/**
 * Asks once for all who ask at the same time. Whoever comes while an answer is under way gets the next one, so that no answer is older than
 * its question. Its statements count as work of all who asked. When the answer under way fails after a long wait because the database is
 * gone or too busy, those behind fail with it instead of waiting as long again.
 */
export function gathered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  let askers: (Work | undefined)[] = [];
  const begin = (): Promise<T> => {
    next = undefined;
    const answer = duringAll(askers, ask);
    askers = [];
    last = answer;
    return answer;
  };
  const afterLast = (): Promise<T> => {
    const since = performance.now();
    return last.then(begin, (error: unknown) => {
      if (!isOutage(error) || performance.now() - since < LONG_MS) return begin();
      next = undefined;
      askers = [];
      throw error;
    });
  };
  return () => {
    askers.push(workUnderWay());
    next ??= afterLast();
    return next;
  };
}

/** The same for many questions, told apart by a key: all who share a key must ask the same. A key nobody waits for is forgotten. */
export function gatheredByKey<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, { readonly answer: () => Promise<T>; waiting: number }>();
  return async (key, ask) => {
    const question = asked.get(key) ?? { answer: gathered(ask), waiting: 0 };
    asked.set(key, question);
    question.waiting++;
    try {
      return await question.answer();
    } finally {
      question.waiting--;
      if (question.waiting === 0) asked.delete(key);
    }
  };
}
