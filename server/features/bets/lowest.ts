import type { Chosen } from './selection.ts';

/** Compares exact decimals. */
export function compareOdds(one: string, other: string): number {
  const [a = '', aPlaces = ''] = one.split('.');
  const [b = '', bPlaces = ''] = other.split('.');
  const width = Math.max(aPlaces.length, bPlaces.length);
  const difference = BigInt(a + aPlaces.padEnd(width, '0')) - BigInt(b + bPlaces.padEnd(width, '0'));
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** What of a selection is left when only numbers with at least these odds count; nothing where a banker has less. */
function from(
  { bankers, numbers }: Chosen,
  least: string,
  oddsOf: (number: string) => string,
): Chosen | undefined {
  const isEnough = (number: string) => compareOdds(oddsOf(number), least) >= 0;
  return bankers.every(isEnough) ? { bankers, numbers: numbers.filter(isEnough) } : undefined;
}

/**
 * Counts units by the number of theirs with the lowest odds (of several the first): those of at least some odds less those of at least
 * the next higher ones. `count` counts units of a selection.
 */
export function byLowest(
  chosen: Chosen,
  oddsOf: (number: string) => string,
  count: (part: Chosen) => bigint,
): { row: string; units: bigint }[] {
  const all = [...chosen.bankers, ...chosen.numbers];
  const named = all.map((number) => [oddsOf(number), number] as const).toReversed();
  const levels = [...new Map(named)].toSorted(([one], [other]) => compareOdds(one, other));
  const counts = levels.map(([least]) => {
    const part = from(chosen, least, oddsOf);
    return part ? count(part) : 0n;
  });
  return levels.map(([, row], level) => ({ row, units: (counts[level] ?? 0n) - (counts[level + 1] ?? 0n) }));
}
