import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

/**
 * One question for all who ask at the same time: whoever comes while an answer is under way waits for the next one, so
 * that no answer is older than its question. Its statements are everybody's who asked.
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
  return () => {
    askers.push(workUnderWay());
    next ??= last.then(begin, begin);
    return next;
  };
}
