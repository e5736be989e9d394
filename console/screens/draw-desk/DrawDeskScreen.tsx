import { useEffect, useRef } from 'react';
import { getDrawDesk } from '#contract/draw-desk.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { UpToDate } from '../../parts/UpToDate.tsx';
import { useFresh } from '../../parts/use-fresh.ts';
import { ElapsedContext, useElapsed } from './Countdown.tsx';
import { GameCard } from './GameCard.tsx';
import { countWaits, Waits } from './Waits.tsx';
import './draw-desk.css';

/** Draws and sources are told at once; what is bet and settled meanwhile is seen so often. */
const POLL_MS = 10_000;

/** A phase that was dealt with goes, and its buttons with it: the keyboard goes on from the heading, which says how many are left. */
function useKeptKeyboard() {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef<Element>(null);
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  });
  const onFocus = ({ target }: { readonly target: Element }) => {
    last.current = target;
  };
  return { heading, onFocus };
}

/** The draw desk: what waits for a person, and every game as it is at this moment. */
export function DrawDeskScreen() {
  const { data, error, dataUpdatedAt, refetch } = useEndpoint(getDrawDesk, {}, { everyMs: POLL_MS });
  useFresh(['drawPlan', 'drawRecord', 'spider'], refetch);
  const elapsed = useElapsed(dataUpdatedAt);
  const { heading, onFocus } = useKeptKeyboard();
  const waits = data?.waits ?? [];
  const total = data?.totalGames ?? data?.games.length ?? 0;
  const waitingOf = (gameId: number): number =>
    countWaits(waits.filter((wait) => wait.gameId === gameId && wait.kind !== 'VOIDED'));
  return (
    <ElapsedContext value={elapsed}>
      <div className="draws">
        <UpToDate error={error}>{data && `统计时间 ${data.time}`}</UpToDate>
        {data && (
          <>
            <section aria-label="待处理" onFocus={onFocus}>
              <h2 ref={heading} tabIndex={-1}>
                待处理（{countWaits(waits)}）
              </h2>
              <Waits waits={waits} />
            </section>
            <section aria-label="各游戏">
              <h2>各游戏（{total}）</h2>
              {total > data.games.length && (
                <p className="draws-soft">{`只显示最早添加的 ${data.games.length} 个；其余的待处理事项仍列在上方`}</p>
              )}
              {data.games.length === 0 && <p className="draws-soft">没有启用的游戏</p>}
              <ul className="draws-games">
                {data.games.map((game) => (
                  <GameCard key={game.gameId} game={game} waiting={waitingOf(game.gameId)} />
                ))}
              </ul>
            </section>
          </>
        )}
      </div>
    </ElapsedContext>
  );
}
