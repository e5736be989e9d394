import { isOutage } from './driver/outage.ts';
import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

/** A lost connection is told sooner; by then the one ahead has found that the database answers nobody. */
const LONG_MS = 1_000;

/**
 * One question for all who ask at the same time: whoever comes while an answer is under way waits for the next one, so
 * that no answer is older than its question. Its statements are everybody’s who asked. Where the one ahead found after a long wait that the
 * database is gone or too busy, nobody waits as long again.
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

/** The same for many questions, told apart by a key; `ask` is what whoever comes first with a key would ask. Nothing is kept of one that nobody waits for. */
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
