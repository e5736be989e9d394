import { findResultHandler } from '../result-handlers/registry.ts';
import { canonical } from '../result-handlers/result-handler.ts';

interface MarginLatitude {
  resultHandlerName: string;
  handlerOptions: string | null;
}

/** A number with its odds, an exact decimal as text. */
interface NumberOdds {
  number: string;
  odds: string;
}

const PLACES = 4;
const UNIT = 10n ** BigInt(PLACES);

/** A sum of fractions, exact: odds such as 3 have no decimal part of one. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

/** `count` over odds, which are decimal text above zero. */
function partOf(odds: string, count: number): Fraction {
  const [whole = '', places = ''] = odds.split('.');
  return { above: BigInt(count) * 10n ** BigInt(places.length), below: BigInt(whole + places) };
}

const plus = (one: Fraction, other: Fraction): Fraction => ({
  above: one.above * other.below + other.above * one.below,
  below: one.below * other.below,
});

/** Cut, not rounded, to four places; without zeros at the end. */
function cut({ above, below }: Fraction): string {
  const units = (above * UNIT) / below;
  const places = String(units % UNIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return String(units / UNIT) + (places ? `.${places}` : '');
}

/**
 * Σ 1/odds over a complete set of numbers of a play way, cut (not rounded, so that nothing below 1 reads 1) to 4 places. Null
 * while numbers of the set have no odds, and where not exactly one number of a set wins. For handlers whose winners are
 * numbers rather than words, those with odds are taken for the complete set.
 */
export function marginOf(latitude: MarginLatitude | undefined, odds: readonly NumberOdds[]): string | null {
  const handler = latitude && findResultHandler(latitude.resultHandlerName);
  const set = handler?.exactlyOne(latitude?.handlerOptions ? JSON.parse(latitude.handlerOptions) : {});
  if (!set || odds.length < 2) return null;
  const known = new Map(odds.map((each) => [canonical(each.number), each.odds]));
  const numbers = set === 'numbers' ? [...known.keys()] : set;
  if (numbers.some((number) => !known.has(number))) return null;
  // Many numbers share few odds.
  const counts = new Map<string, number>();
  for (const number of numbers) {
    const value = known.get(number) ?? '1';
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const parts = [...counts].map(([value, count]) => partOf(value, count));
  return cut(parts.reduce(plus, { above: 0n, below: 1n }));
}
