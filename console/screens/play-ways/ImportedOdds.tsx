import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import type { PlayWay } from '#contract/play-ways.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import type { Changes } from '../../kit/form/index.ts';
import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { OddsOutlook, useOutlook } from './OddsOutlook.tsx';
import '../../parts/betting-rules/betting-rules.css';

interface ImportedOddsProps {
  readonly playWay: PlayWay;
  readonly changes: Changes;
}

/** What a table of odds would make of a play way before it is imported: each number's odds, old and new, and what they would return. */
export function ImportedOdds({ playWay, changes }: ImportedOddsProps) {
  const { data = [] } = useEndpoint(listGameNumbersByGame, { id: playWay.gameId });
  const names = new Map(data.map(({ id, number }) => [id, number]));
  const rows = changes.map(({ before, after }) => ({
    numberId: Number(after.numberId),
    odds: String(after.odds),
    old: before ? String(before.odds) : '—',
  }));
  const outlook = useOutlook(playWay.id, rows);
  return (
    <div className="odds-table">
      <OddsOutlook outlook={outlook} count={rows.length} />
      <table>
        <thead>
          <tr>
            {['号码', '现赔率', '新赔率', '返还率'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ numberId, odds, old }) => (
            <tr key={numberId}>
              <th scope="row">{names.get(numberId) ?? numberId}</th>
              <td>{old}</td>
              <td>{odds}</td>
              <td>
                <ReturnHint rate={outlook.rateOf(numberId)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
