import { roundedDown, tenThousandths } from './decimal.ts';
import type { Judged } from './judge.ts';
import type { Play } from './play.ts';

/** Σ units x odds, in ten-thousandths. A row without odds pays nothing: a bet on it was never taken. */
export const oddsWon = ({ won }: Judged, oddsOf: Play['oddsOf']): bigint =>
  won.reduce((sum, { row, units }) => sum + BigInt(units) * tenThousandths(oddsOf(row) ?? '0'), 0n);

/** What a line is paid: over its winning units unit stake x odds, exact, rounded down to four decimals once. */
export const payoutOf = (judged: Judged, unitStake: string, oddsOf: Play['oddsOf']): string =>
  roundedDown(oddsWon(judged, oddsOf) * tenThousandths(unitStake));

/** What a line gets back for units that were pushed. */
export const refundOf = ({ pushed }: Judged, unitStake: string): string =>
  roundedDown(BigInt(pushed) * tenThousandths(unitStake) * tenThousandths('1'));
