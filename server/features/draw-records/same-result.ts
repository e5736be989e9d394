const bare = (number: string): string => number.replace(/^0+(?=.)/, '');

/** What all results that say the same have in common: the same numbers in the same order, zeros in front aside. */
export const meaningOf = (result: string): string => result.split(',').map(bare).join(',');

/** Whether two results say the same. */
export const isSameResult = (one: string, other: string): boolean => meaningOf(one) === meaningOf(other);

/** A result in the game's own spelling of its numbers (`01` or `1`), where the game has such a number. */
export function inSpelling(result: string, gameNumbers: readonly string[]): string {
  const exact = new Set(gameNumbers);
  const byBare = new Map(gameNumbers.map((number) => [bare(number), number]));
  return result
    .split(',')
    .map((number) => (exact.has(number) ? number : (byBare.get(bare(number)) ?? number)))
    .join(',');
}
