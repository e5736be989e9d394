const bare = (number: string): string => number.replace(/^0+(?=.)/, '');

/** Whether two results say the same: the same numbers in the same order, zeros in front aside. */
export const isSameResult = (one: string, other: string): boolean =>
  one.split(',').map(bare).join(',') === other.split(',').map(bare).join(',');

/** A result in the game's own spelling of its numbers (`01` or `1`), where the game has such a number. */
export function inSpelling(result: string, gameNumbers: readonly string[]): string {
  const exact = new Set(gameNumbers);
  const byBare = new Map(gameNumbers.map((number) => [bare(number), number]));
  return result
    .split(',')
    .map((number) => (exact.has(number) ? number : (byBare.get(bare(number)) ?? number)))
    .join(',');
}
