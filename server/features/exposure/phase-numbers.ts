import type { Exposure } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import { cappedLines } from './capped-lines.ts';
import { cutByNumber, numberKey } from './cut.ts';
import * as store from './exposure-store.ts';
import { givenBackByNumber } from './given-back.ts';
import type { ExposedPhase } from './phase-shown.ts';

/** A row less what caps take off its payout, and less what its number gives back on others. */
function less(row: Exposure, cut: bigint, givenBack: bigint): Exposure {
  if (cut === 0n && givenBack === 0n) return row;
  const result = moneyOf(tenThousandths(row.result) + cut - givenBack);
  return { ...row, payout: moneyOf(tenThousandths(row.payout) - cut), result };
}

/** The numbers of a phase that is shown, play way by play way, those that would cost most first; none once they have been cleaned away. */
export async function numbersOf(db: Db, { gameId, phase, isOld }: ExposedPhase): Promise<Exposure[]> {
  if (isOld) return [];
  const rows = await store.listNumbers(db, gameId, phase);
  const exposed = await store.exposedNumbers(db, gameId, phase);
  const ids = [...new Set(exposed.map(({ rulesId }) => rulesId))];
  const lines = (await cappedLines(db, { gameId, phase, rules: ids })) ?? [];
  const pushing = exposed.filter(({ mayPush }) => mayPush);
  const judged = new Set([...lines, ...pushing].map(({ rulesId }) => rulesId));
  const rules = await store.keptRules(db, [...judged]);
  const givenBack = givenBackByNumber(pushing, rules);
  const cut = cutByNumber(lines, rules);
  const whole = new Set(lines.filter(({ isSplit }) => !isSplit).map(({ playWayId }) => playWayId));
  const kept = rows.map((row) => {
    const number = whole.has(row.playWayId) && row.number === row.playWayName ? '' : row.number;
    const key = numberKey(row.playWayId, number);
    return less(row, cut.get(key) ?? 0n, givenBack.get(key) ?? 0n);
  });
  return kept.toSorted(
    (one, other) => one.playWayId - other.playWayId || Number(one.result) - Number(other.result),
  );
}
