import { previewBetLatitude } from '#contract/bet-latitudes.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { useEndpoint } from '../../kit/use-endpoint.ts';
import './game.css';

/** What a way to read results makes of its game's latest ones. */
export function PreviewTable({ reading }: { readonly reading: WireInput<typeof previewBetLatitude> }) {
  const { data, error, isPlaceholderData } = useEndpoint(previewBetLatitude, reading);
  if (error) {
    const reasons = Object.values(error.fieldErrors);
    return (
      <p role="alert" className="form-error">
        {reasons.length > 0 ? reasons.join('；') : error.message}
      </p>
    );
  }
  if (data === undefined || isPlaceholderData) return null;
  if (data.length === 0) return <p>该游戏还没有开奖记录，有了结果后可在此预览。</p>;
  return (
    <div className="preview">
      <table>
        <thead>
          <tr>
            {['期号', '开奖结果', '中奖号码', '退本金号码'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map(({ phase, result, winners, pushes, problem }) => (
            <tr key={phase}>
              <td>{phase}</td>
              <td>{result}</td>
              <td>{problem ?? (winners.join('、') || '无')}</td>
              <td>{pushes.join('、') || '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
