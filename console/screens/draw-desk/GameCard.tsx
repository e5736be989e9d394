import type { DeskGame } from '#contract/draw-desk.ts';
import { moneyText, Tag } from '../../kit/form/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { ScreenLink } from '../../kit/overlay/index.ts';

import { Countdown } from './Countdown.tsx';

function Open({ game: { gameId, open, next } }: { readonly game: DeskGame }) {
  if (!open) {
    return <p>{next ? `未开盘，下一期 ${next.phase} 于 ${next.startTime} 开始` : '没有开奖计划'}</p>;
  }
  const { phase, closesIn, drawsIn, stake, endTime } = open;
  return (
    <>
      <p className="draws-open">
        <RowLink noun="drawPlan" row={{ gameId, phase }}>
          {`期号 ${phase}`}
        </RowLink>
        <Countdown closesIn={closesIn} drawsIn={drawsIn} />
      </p>
      <p className="draws-soft">
        开奖 {endTime}
        {stake !== null && (
          <>
            ，投注额 <strong>{moneyText(stake)}</strong>
          </>
        )}
        <ScreenLink to="/main/bet/exposure" search={{ gameId, phase }}>
          单期风险
        </ScreenLink>
      </p>
    </>
  );
}

function Sources({ sources, gameId }: Pick<DeskGame, 'sources' | 'gameId'>) {
  if (!sources) return null;
  const { enabled, failing, lastSuccessTime, lastError } = sources;
  return (
    <p className="draws-soft">
      <ScreenLink to="/main/game/spider" search={{ gameId }}>
        采集
      </ScreenLink>
      {failing > 0 ? (
        <Tag tone="bad">
          {enabled} 个中 {failing} 个失败
        </Tag>
      ) : (
        <Tag tone="good">{enabled} 个正常</Tag>
      )}
      {lastSuccessTime !== null && <span>最近成功 {lastSuccessTime}</span>}
      {lastError !== null && <span className="draws-error">{lastError}</span>}
    </p>
  );
}

/** A game as it is now: the open phase, what came last, and how its sources are. */
export function GameCard({ game, waiting }: { readonly game: DeskGame; readonly waiting: number }) {
  const { gameId, gameName, betStatus, last, sources } = game;
  return (
    <li>
      <article aria-label={gameName} className="draws-game" data-waits={waiting > 0 || undefined}>
        <h3>
          <RowLink noun="game" row={{ id: gameId, name: gameName }}>
            {gameName}
          </RowLink>
          {!betStatus && <Tag tone="idle">投注关闭</Tag>}
          {waiting > 0 && <Tag tone="bad">{`${waiting} 期待处理`}</Tag>}
        </h3>
        <Open game={game} />
        {last && last.length > 0 && (
          <ol aria-label={`${gameName}最近开奖`} className="draws-last">
            {last.map(({ phase, result, openTime }) => (
              <li key={phase} title={`开奖 ${openTime}`}>
                <RowLink noun="drawRecord" row={{ gameId, phase }}>
                  {phase}
                </RowLink>
                <span>{result}</span>
              </li>
            ))}
          </ol>
        )}
        <Sources sources={sources} gameId={gameId} />
      </article>
    </li>
  );
}
