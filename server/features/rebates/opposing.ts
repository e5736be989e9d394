import { lesser, tenThousandths } from '../bets/decimal.ts';
import { findHandlerVersion } from '../result-handlers/registry.ts';
import type { ResultHandler } from '../result-handlers/result-handler.ts';

/** What of opposing lines still counts as turnover: neither side, or the larger less the smaller. */
export type Opposing = 'BOTH' | 'DIFFERENCE';

/** A line of single numbers that won or lost, of one player on one latitude and phase; amounts in ten-thousandths. */
export interface SingleLine {
  /** Each with the odds it was bet at. */
  readonly numbers: readonly { readonly number: string; readonly odds: string }[];
  readonly unitStake: bigint;
  /** Its stake less what was given back. */
  readonly turnover: bigint;
  readonly handler: string;
  readonly version: number;
  readonly options: unknown;
}

/** Words that stand against each other, whatever a handler makes of a tie or a triple. */
const pairs: readonly (readonly string[])[] = [
  ['大', '小'],
  ['单', '双'],
  ['龙', '虎'],
];

/** What the handler of a line says of its options; nothing where it cannot read them. */
function told<T>(
  { handler, version, options }: SingleLine,
  ask: (handler: ResultHandler, options: unknown) => T,
): T | undefined {
  const found = findHandlerVersion(handler, version);
  try {
    return found && ask(found, options);
  } catch {
    return undefined;
  }
}

/** Without the numbers that a draw gave back, as 龙 and 虎 by a tie: these neither won nor lost, so that nothing stands against them. */
function standing(line: SingleLine): SingleLine {
  const { numbers, unitStake, turnover } = line;
  if (turnover >= unitStake * BigInt(numbers.length)) return line;
  const givenBack = told(line, (handler, options) => [...handler.givenBackWith(options).values()].flat());
  return { ...line, numbers: numbers.filter(({ number }) => !givenBack?.includes(number)) };
}

const ONE = 10n ** 20n;

/**
 * Whether no outcome is left at which stakes on these numbers, of which exactly one wins, could gain: for a unit of winnings on each of them
 * at least as much is staked. With a house's odds this is so when all of them are covered.
 */
function coverAll(odds: readonly string[]): boolean {
  const staked = odds.reduce((sum, each) => sum + ONE / tenThousandths(each), 0n);
  return odds.length > 1 && staked + BigInt(odds.length) >= ONE / tenThousandths('1');
}

/** Sets of numbers that cover every outcome between them, of those bet on: pairs first, then a handler's whole set. */
function coveringSets(lines: readonly SingleLine[], odds: ReadonlyMap<string, string>): string[][] {
  const sets = pairs.filter((pair) => pair.every((word) => odds.has(word))).map((pair) => [...pair]);
  for (const line of lines) {
    const whole = told(line, (handler, options) => handler.exactlyOne(options));
    if (whole === 'numbers') {
      if (coverAll([...odds.values()])) sets.push([...odds.keys()]);
    } else if (whole && whole.length > 1 && whole.every((word) => odds.has(word))) sets.push([...whole]);
  }
  const known = new Set<string>();
  return sets.filter((set) => {
    const key = set.toSorted().join();
    return !known.has(key) && known.add(key);
  });
}

/** The lowest odds at which each number was bet on. */
function lowestOdds(lines: readonly SingleLine[]): Map<string, string> {
  const lowest = new Map<string, string>();
  for (const { numbers } of lines)
    for (const { number, odds } of numbers)
      if (tenThousandths(odds) < tenThousandths(lowest.get(number) ?? odds) || !lowest.has(number))
        lowest.set(number, odds);
  return lowest;
}

/** What of each number's stakes is left out. */
function leftOut(
  stakes: ReadonlyMap<string, bigint>,
  sets: readonly string[][],
  mode: Opposing,
): Map<string, bigint> {
  const left = new Map(stakes);
  const out = new Map<string, bigint>();
  for (const set of sets) {
    if (mode === 'BOTH') {
      for (const number of set) out.set(number, stakes.get(number) ?? 0n);
      continue;
    }
    const least = set.reduce(
      (min, number) => {
        const own = left.get(number) ?? 0n;
        return own < min ? own : min;
      },
      left.get(set[0] ?? '') ?? 0n,
    );
    for (const number of set) {
      left.set(number, (left.get(number) ?? 0n) - least);
      out.set(number, (out.get(number) ?? 0n) + least);
    }
  }
  return out;
}

/**
 * What of each line counts as turnover once opposing ones are left out. Of several lines on a number the last ones give way first, and a line
 * never counts for less than nothing.
 */
export function keptTurnover(all: readonly SingleLine[], mode: Opposing): bigint[] {
  const lines = all.map(standing);
  const odds = lowestOdds(lines);
  const sets = odds.size > 1 ? coveringSets(lines, odds) : [];
  const kept = lines.map(({ turnover }) => turnover);
  if (sets.length === 0) return kept;
  const stakes = new Map<string, bigint>();
  for (const { numbers, unitStake } of lines)
    for (const { number } of numbers) stakes.set(number, (stakes.get(number) ?? 0n) + unitStake);
  const out = leftOut(stakes, sets, mode);
  for (const [place, { numbers, unitStake }] of [...lines.entries()].toReversed())
    for (const { number } of numbers) {
      const rest = out.get(number) ?? 0n;
      const taken = lesser(rest, unitStake);
      out.set(number, rest - taken);
      const whole = kept[place] ?? 0n;
      kept[place] = whole > taken ? whole - taken : 0n;
    }
  return kept;
}
