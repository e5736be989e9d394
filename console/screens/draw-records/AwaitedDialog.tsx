import { pageAwaitedAgreements } from '#contract/draw-records.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';

const MOST_SHOWN = 50;
const POLL_MS = 5_000;

/** Phases on which not enough sources agree yet: what each said, and for how long it has been waited. */
export function AwaitedDialog() {
  const input = { currentPage: 1, pageSize: MOST_SHOWN };
  const { data } = useEndpoint(pageAwaitedAgreements, input, { everyMs: POLL_MS });
  return (
    <Dialog title="等待来源一致的期次" width={720}>
      {data?.data.length === 0 && <p className="draw-note">没有等待来源一致的期次。</p>}
      <dl className="draw-detail">
        {data?.data.map(({ gameId, phase, agreeSources, since, ageSeconds, words }) => [
          <dt key={`${gameId} ${phase}:`}>
            游戏 {gameId} 期号 {phase}
          </dt>,
          <dd key={`${gameId} ${phase}`}>
            自 {since} 起已等 {Math.floor(ageSeconds / 60)} 分钟，须 {agreeSources} 个来源一致：
            {words.map(({ source, result }) => `${source} ${result}`).join('；')}
          </dd>,
        ])}
      </dl>
    </Dialog>
  );
}
