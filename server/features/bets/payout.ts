import { WON } from '../result-handlers/result-handler.ts';
import { lesser, roundedDown, tenThousandths } from './decimal.ts';
import type { Judged } from './judge.ts';
import type { Caps } from './line-rules.ts';
import type { OddsRow, Play } from './play.ts';

/** The odds of a row as `judge` names it: `WON` is the only row of what is only won or lost. */
export function oddsIn(rows: readonly OddsRow[]): Play['oddsOf'] {
  const byNumber = new Map(rows.map(({ number, odds }) => [number, odds]));
  return (row) => (row === WON ? rows[0]?.odds : byNumber.get(row));
}

/** Σ units x odds, in ten-thousandths. A row without odds pays nothing: a bet on it was never taken. */
export const oddsWon = ({ won }: Judged, oddsOf: Play['oddsOf']): bigint =>
  won.reduce((sum, { row, units }) => sum + BigInt(units) * tenThousandths(oddsOf(row) ?? '0'), 0n);

/**
 * What a line is paid: over its winning units unit stake x odds, exact, each cut to the cap of a unit, rounded down to four decimals once,
 * then cut to the cap of a line.
 */
export function payoutOf(
  { won }: Judged,
  unitStake: string,
  oddsOf: Play['oddsOf'],
  { unit, line }: Pick<Caps, 'unit' | 'line'> = {},
): string {
  const stake = tenThousandths(unitStake);
  const most = unit === undefined ? undefined : tenThousandths(unit) * tenThousandths('1');
  const paid = won.reduce((sum, { row, units }) => {
    const each = tenThousandths(oddsOf(row) ?? '0') * stake;
    return sum + BigInt(units) * (most === undefined ? each : lesser(each, most));
  }, 0n);
  return roundedDown(line === undefined ? paid : lesser(paid, tenThousandths(line) * tenThousandths('1')));
}

/** What a line gets back for units that were pushed. */
export const refundOf = ({ pushed }: Judged, unitStake: string): string =>
  roundedDown(BigInt(pushed) * tenThousandths(unitStake) * tenThousandths('1'));
