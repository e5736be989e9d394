/** What a test goes on with, such as the id in an answer. Where it is missing that is the fault, not what some other value leads to. */
export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('there is nothing to go on with');
  return value;
}
