import type { Odds } from '#contract/odds.ts';
import { OddsChanges } from './OddsChanges.tsx';
import { isOdds } from './odds-table.ts';

interface NewOddsProps {
  readonly rows: readonly Odds[];
  /** As it is typed, the same for all of them. */
  readonly entered: unknown;
}

/** What numbers with odds, of one play way or several, would return with other ones. */
export function NewOdds({ rows, entered }: NewOddsProps) {
  const odds = String(entered ?? '').trim();
  if (!isOdds(odds)) return null;
  const playWays = [...Map.groupBy(rows, ({ playWayId }) => playWayId)];
  return playWays.map(([playWayId, own]) => (
    <OddsChanges
      key={playWayId}
      playWayId={playWayId}
      rows={own.map(({ numberId, number, odds: old }) => ({ numberId, number, old, odds }))}
      named={playWays.length > 1}
    />
  ));
}
