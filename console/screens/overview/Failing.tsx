import { Link } from 'react-router';
import type { Overview } from '#contract/overview.ts';
import { listAddress } from './links.ts';

/** The collectors that fail, and why. */
export function Failing({ spiders }: { readonly spiders: Overview['spiders'] }) {
  if (!spiders || spiders.failing.length === 0) return null;
  return (
    <section aria-label="失败的采集" className="overview-failing">
      <ul>
        {spiders.failing.map(({ id, gameId, gameName, name, consecutiveFailures, lastError }) => (
          <li key={id}>
            <Link to={listAddress('/main/game/spider', { gameId: String(gameId), name })}>
              {gameName} · {name}
            </Link>
            <span>连续失败 {consecutiveFailures} 次</span>
            <span className="overview-error">{lastError}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
