import type { ReactNode } from 'react';
import { wordOf } from '#contract/fields.ts';
import type { GamePage } from '#contract/game-pages.ts';
import { Game } from '#contract/games.ts';
import { Absent, PlaceContext } from '../../kit/overlay/index.ts';
import { BetTimes } from './BetTimes.tsx';
import { BetStatus, GameActions, Status } from './GameActions.tsx';

/** The phase that takes bets, until when; else the one that begins next. */
function phaseText({ phase, closeTime, next }: GamePage['current']): ReactNode {
  if (phase !== null) return `${phase}，${closeTime} 封盘`;
  return next ? `没有可投注的一期，下一期 ${next.phase} 于 ${next.startTime} 开始` : <Absent />;
}

function factsOf({ game, current, plans, sources }: GamePage): [string, ReactNode][] {
  const { openRate, stopBetSecond, phase, phaseRule, agreeSources, numbers } = game;
  return [
    ['期号', phase],
    ['期号规则', wordOf(Game.shape.phaseRule, phaseRule)],
    ['可投注', phaseText(current)],
    ['开奖间隔', `${openRate} 秒`],
    ['封盘', `开奖前 ${stopBetSecond} 秒`],
    ['开奖中', plans.late > 0 ? `${plans.opening} 期，其中 ${plans.late} 期结果逾期` : `${plans.opening} 期`],
    [
      '采集',
      sources.failing > 0 ? `${sources.enabled} 个，${sources.failing} 个失败` : `${sources.enabled} 个`,
    ],
    ['一致来源数', agreeSources],
    ['号码', `${numbers.length} 个`],
  ];
}

/** What a game is, how it stands and what can be done with it. */
export function GameHead({ page }: { readonly page: GamePage }) {
  const { game } = page;
  return (
    <header className="row-head">
      <div className="row-title">
        <h1>{game.name}</h1>
        <span>{game.id}</span>
        <PlaceContext value="row">
          <Status {...game} />
          <BetStatus {...game} />
        </PlaceContext>
        <PlaceContext value="toolbar">
          <span className="row-does">
            <GameActions {...game} />
          </span>
        </PlaceContext>
      </div>
      <dl className="row-facts">
        {factsOf(page).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>投注时间</dt>
          <dd>
            <BetTimes {...game} />
          </dd>
        </div>
      </dl>
    </header>
  );
}
