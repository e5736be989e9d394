/**
 * One question for all who ask at the same time: whoever comes while an answer is under way waits for the next one, so
 * that no answer is older than its question.
 */
export function gathered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const answer = ask();
    last = answer;
    return answer;
  };
  return () => (next ??= last.then(begin, begin));
}
