import { decimalOf, tenThousandths } from './decimal.ts';
import type { Caps } from './line-rules.ts';
import { maxPayout } from './max-payout.ts';
import { oddsIn } from './payout.ts';
import type { OddsRow, Play } from './play.ts';
import type { Selection } from './selection.ts';

const ONE = tenThousandths('1');

/** A play whose odds are what one unit is paid at that stake, cut to the cap, and rounded up where it has more than four decimals. */
function paying(play: Play, unitStake: string, unit: string): Play {
  const [stake, most] = [tenThousandths(unitStake), tenThousandths(unit)];
  const rows = play.rules.rows.map(({ number, odds }): OddsRow => {
    const paid = (tenThousandths(odds) * stake + ONE - 1n) / ONE;
    return { number, odds: decimalOf(paid < most ? paid : most) };
  });
  const oddsOf = oddsIn(rows);
  const lowest = play.lowest && ((number: string) => oddsOf(number) ?? '0');
  return { ...play, rules: { ...play.rules, rows }, oddsOf, lowest };
}

/** Whether a unit can be paid more than its cap. */
const isCut = ({ rules: { rows } }: Play, unitStake: string, unit: string): boolean =>
  rows.some(({ odds }) => tenThousandths(odds) * tenThousandths(unitStake) > tenThousandths(unit) * ONE);

/** A payout of a line once the caps of a line, its slip and its player have cut it, where the player bets on nothing else. */
export const cutAlone = (payout: string, { line, slip, user }: Caps): string =>
  [line, slip?.most, user?.most].reduce<string>(
    (least, cap) => (cap !== undefined && tenThousandths(cap) < tenThousandths(least) ? cap : least),
    payout,
  );

/** The most that a line can be paid in any one draw, as `maxPayout`, once caps have cut it; never less than that. */
export function cappedPayout(
  play: Play,
  selection: Selection,
  unitStake: string,
  date: string,
  caps: Caps,
): string {
  const { unit } = caps;
  const most =
    unit !== undefined && isCut(play, unitStake, unit)
      ? maxPayout(paying(play, unitStake, unit), selection, '1', date)
      : maxPayout(play, selection, unitStake, date);
  return cutAlone(most, caps);
}
