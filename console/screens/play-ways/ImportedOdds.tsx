import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import type { PlayWay } from '#contract/play-ways.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import type { Changes } from '../../kit/form/index.ts';
import { OddsChanges } from './OddsChanges.tsx';

interface ImportedOddsProps {
  readonly playWay: PlayWay;
  readonly changes: Changes;
}

/** What a table of odds would make of a play way before it is imported. */
export function ImportedOdds({ playWay, changes }: ImportedOddsProps) {
  const { data = [] } = useEndpoint(listGameNumbersByGame, { id: playWay.gameId });
  const names = new Map(data.map(({ id, number }) => [id, number]));
  const rows = changes.map(({ before, after }) => {
    const numberId = Number(after.numberId);
    const number = names.get(numberId) ?? String(numberId);
    return { numberId, number, odds: String(after.odds), old: before ? String(before.odds) : undefined };
  });
  return <OddsChanges playWayId={playWay.id} rows={rows} />;
}
