import type { User } from '#contract/users.ts';
import { platformZone, serverNow, wallClock } from '../../kit/call/index.ts';
import { Tag } from '../../kit/form/index.ts';

/** Whether a player may bet now; else why not. */
export function MayBet({
  user: { frozen, freezeReason, excludedUntil, testAccount },
}: {
  readonly user: User;
}) {
  const excluded = excludedUntil !== null && excludedUntil > wallClock(serverNow(), platformZone());
  return (
    <span title={freezeReason ?? undefined}>
      {frozen && <Tag tone="bad">已冻结</Tag>}{' '}
      {excluded && <Tag tone="warn">{`禁投至 ${excludedUntil}`}</Tag>}{' '}
      {testAccount && <Tag tone="busy">测试</Tag>}
      {!frozen && !excluded && !testAccount && <Tag tone="good">正常</Tag>}
    </span>
  );
}
