import { Decimal } from 'decimal.js';
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
const exact = Decimal.clone({ precision: 40 });

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
  const sum = numbers.reduce(
    (total, number) => total.plus(new exact(1).div(known.get(number) ?? 1)),
    new exact(0),
  );
  return sum.toDecimalPlaces(PLACES, Decimal.ROUND_DOWN).toString();
}
