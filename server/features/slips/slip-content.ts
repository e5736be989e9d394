import { hash } from 'node:crypto';
import { tenThousandths } from '../bets/decimal.ts';
import type { WantedSlip } from './wanted-lines.ts';

const inTenThousandths = (decimal: string): string => String(tenThousandths(decimal));

const oddsOf = (odds: WantedSlip['lines'][number]['odds']) => {
  if (odds === undefined) return null;
  return typeof odds === 'string'
    ? inTenThousandths(odds)
    : odds.map((row) => [row.number, inTenThousandths(row.odds)]);
};

/** What tells a slip that was sent again from another one under the same number; amounts count by their value. */
export function contentHash({ userId, gameId, phase, acceptOdds = 'SAME', lines }: WantedSlip): Buffer {
  const content = lines.map(({ playWayId, selection, unitStake, odds }) => [
    ...[playWayId, selection, inTenThousandths(unitStake)],
    oddsOf(odds),
  ]);
  return hash('sha256', JSON.stringify([userId, gameId, phase, acceptOdds, content]), 'buffer');
}
