import type { Overview } from '#contract/overview.ts';
import { RowLink } from '../../kit/list/index.ts';

/** The phases that cannot be opened, drawn or promised, and why. */
export function DrawAlarms({ alarms }: { readonly alarms: Overview['alarms'] }) {
  if (!alarms || alarms.count === 0) return null;
  return (
    <section aria-label="开奖告警" className="overview-failing">
      <ul>
        {alarms.phases.map(({ gameId, gameName, phase, endTime, reason }) => (
          <li key={`${gameId}/${phase}`}>
            <RowLink noun="drawPlan" row={{ gameId, phase }}>
              {`${gameName} · 期号 ${phase}`}
            </RowLink>
            <span>开奖时间 {endTime}</span>
            <span className="overview-error">{reason}</span>
          </li>
        ))}
        {alarms.count > alarms.phases.length && <li>共 {alarms.count} 期</li>}
      </ul>
    </section>
  );
}

/** The days that could not be planned. */
export function Unplanned({ plans }: { readonly plans: Overview['plans'] }) {
  if (!plans || plans.unplanned.length === 0) return null;
  return (
    <section aria-label="没有开奖计划" className="overview-failing">
      <ul>
        {plans.unplanned.map(({ gameId, gameName, day }) => (
          <li key={`${gameId}/${day}`}>
            <RowLink noun="game" row={{ id: gameId, name: gameName }}>
              {gameName}
            </RowLink>
            <span>{day}</span>
            <span className="overview-error">没有生成开奖计划：请在“游戏管理”重新生成，原因见提示</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the nightly proof of all bets found wrong. */
export function BrokenProof({ proof }: { readonly proof: Overview['betsProof'] }) {
  if (!proof) return null;
  return (
    <section aria-label="注单复算不符" className="overview-failing">
      <ul>
        {proof.problems.map((problem) => (
          <li key={problem}>
            <span className="overview-error">{problem}</span>
          </li>
        ))}
        {proof.broken > proof.problems.length && <li>共 {proof.broken} 处</li>}
      </ul>
    </section>
  );
}

/** The collectors that fail, and why. */
export function Failing({ spiders }: { readonly spiders: Overview['spiders'] }) {
  if (!spiders || spiders.failing.length === 0) return null;
  return (
    <section aria-label="失败的采集" className="overview-failing">
      <ul>
        {spiders.failing.map(({ id, gameId, gameName, name, consecutiveFailures, lastError }) => (
          <li key={id}>
            <RowLink noun="spider" row={{ gameId, name }}>
              {`${gameName} · ${name}`}
            </RowLink>
            <span>{`连续失败 ${consecutiveFailures} 次`}</span>
            <span className="overview-error">{lastError}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
