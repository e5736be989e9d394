import type { Touched } from './access-events.ts';
import type { LiveToken } from './live-tokens.ts';

const REMEMBERED_TOKENS = 10_000;

/** Live tokens by their hash, until a change of access touches them. */
export function rememberTokens() {
  const remembered = new Map<string, LiveToken>();
  let forgotten = 0;
  return {
    get: (key: string): LiveToken | undefined => remembered.get(key),
    /** How often something was forgotten. */
    forgotten: (): number => forgotten,
    keep(key: string, token: LiveToken): void {
      if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
      remembered.set(key, token);
    },
    forget(touched: 'everyone' | readonly Touched[]): void {
      forgotten++;
      if (touched === 'everyone') {
        remembered.clear();
        return;
      }
      const roleIds = new Set(touched.flatMap((one) => one.roleIds));
      const operatorIds = new Set(touched.flatMap((one) => one.operatorIds));
      const sessionIds = new Set(touched.flatMap((one) => one.sessionIds));
      for (const [key, { operator, roleIds: held }] of remembered) {
        const own = operatorIds.has(operator.id) || sessionIds.has(operator.sessionId);
        if (own || held.some((id) => roleIds.has(id))) remembered.delete(key);
      }
    },
  };
}
