import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { OddsOutlook, useOutlook } from './OddsOutlook.tsx';
import '../../parts/betting-rules/betting-rules.css';

interface OddsChangesProps {
  readonly playWayId: number;
  /** `old` is absent where a number has no odds yet. */
  readonly rows: readonly {
    readonly numberId: number;
    readonly number: string;
    readonly old: string | undefined;
    readonly odds: string;
  }[];
  /** Says of which play way they are, where others stand beside it. */
  readonly named?: boolean;
}

/** The odds that numbers of a play way are about to get, beside those they have, and what all of it would return. */
export function OddsChanges({ playWayId, rows, named = false }: OddsChangesProps) {
  const outlook = useOutlook(playWayId, rows);
  return (
    <div className="odds-table">
      {named && <strong>{outlook.name}</strong>}
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
          {rows.map(({ numberId, number, odds, old = '—' }) => (
            <tr key={numberId}>
              <th scope="row">{number}</th>
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
