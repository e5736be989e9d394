import { type BetLatitude, previewBetLatitude } from '#contract/bet-latitudes.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { useEndpoint } from '../../kit/use-endpoint.ts';
import './game.css';

/** What a latitude makes of its game's latest results. */
export function PreviewDialog({ latitude }: { readonly latitude: BetLatitude }) {
  const { gameId, resultIndex, resultHandlerName, handlerOptions } = latitude;
  const input = { gameId, resultIndex, resultHandlerName, handlerOptions: handlerOptions ?? undefined };
  const { data, error } = useEndpoint(previewBetLatitude, input);
  return (
    <Dialog title={`预览：${latitude.name}`} width={720}>
      {error && <p role="alert">{error.message}</p>}
      {data?.length === 0 && <p>该游戏还没有开奖记录，有了结果后可在此预览。</p>}
      {data !== undefined && data.length > 0 && (
        <table className="preview">
          <thead>
            <tr>
              <th scope="col">期号</th>
              <th scope="col">开奖结果</th>
              <th scope="col">中奖号码</th>
              <th scope="col">退本金号码</th>
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
      )}
    </Dialog>
  );
}
