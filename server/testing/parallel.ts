/** Runs tasks, at most `width` at a time, and gives their results in order. */
export async function inParallel<T>(tasks: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...tasks.entries()].reverse();
  const line = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) results[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: width }, line));
  return results;
}
