import { tenThousandths } from '../bets/decimal.ts';
import type { LineRules } from '../bets/line-rules.ts';
import { findHandlerVersion } from '../result-handlers/registry.ts';
import { numberKey, rulesOf } from './cut.ts';
import type { Exposed } from './exposure-store.ts';

/** What is given back on other numbers of a play way if a number comes, each by the rules it was bet on by. */
export function givenBackByNumber(
  exposed: readonly Exposed[],
  rules: ReadonlyMap<number, LineRules>,
): Map<string, bigint> {
  const back = new Map<string, bigint>();
  for (const { playWayId, rulesId, number, stake } of exposed) {
    const { handler, version, options } = rulesOf(rules, rulesId);
    for (const [winner, others] of findHandlerVersion(handler, version)?.givenBackWith(options) ?? []) {
      if (!others.includes(number)) continue;
      const key = numberKey(playWayId, winner);
      back.set(key, (back.get(key) ?? 0n) + tenThousandths(stake));
    }
  }
  return back;
}
