import type { ExposureOutlook } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import { EXPOSURE_DAYS } from '../cleaning/finished-phases.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { cappedLines } from './capped-lines.ts';
import { cutByDraw } from './cut.ts';
import * as store from './exposure-store.ts';
import { drawsOf, outlookOf } from './outlook.ts';
import type { ExposedPhase } from './phase-shown.ts';

const nothing = { worst: null, best: null, expected: null, draws: [] };
const OLD = `开奖已超过 ${EXPOSURE_DAYS} 天，单期风险不再保留，结果见盈亏报表`;
/** So many judgements are made at most for one answer. */
const MOST_JUDGED = 400_000;
const TOO_MANY = '该游戏的开奖结果超过 1,000 种，不逐一列出';
const UNTOLD = '游戏没有填写“开奖结果”由哪些号码组成，不知道可能开出什么';
const TOO_VARIED = '不同的选号过多，不逐一计算';
const UNCUT = '注单过多，未扣除注单与用户的派彩上限，实际亏损不会更大';

/** The lines that caps may cut; none where there are so many that judging them would take too long. */
async function cutLines(db: Db, { gameId, phase }: ExposedPhase, rules: readonly number[], draws: number) {
  const lines = await cappedLines(db, { gameId, phase, rules });
  return lines && lines.length * draws <= MOST_JUDGED ? lines : undefined;
}

const rulesOf = (kept: readonly { readonly rulesId: number }[]): number[] => [
  ...new Set(kept.map(({ rulesId }) => rulesId)),
];

/** What is told where no draws are: why, and where not even the numbers' payouts could be cut, that too. */
async function withoutDraws(
  db: Db,
  { gameId, phase }: ExposedPhase,
  numbers: readonly { readonly rulesId: number }[],
  why: string,
) {
  const lines = await cappedLines(db, { gameId, phase, rules: rulesOf(numbers) });
  return { ...nothing, problem: lines ? why : [why, UNCUT].join('；') };
}

/** What every possible draw of a phase leaves the house with; where there are too many of them, why nothing is told. */
async function outlook(db: Db, of: ExposedPhase, warnAbove: string | null): Promise<ExposureOutlook> {
  const { gameId, phase, drawTime } = of;
  const rule = await resultRuleOf(db, gameId);
  const draws = drawsOf(rule);
  const numbers = await store.exposedNumbers(db, gameId, phase);
  const stakes = numbers.reduce((sum, each) => sum + tenThousandths(each.stake), 0n);
  const head = { phase, stake: moneyOf(stakes), warnAbove };
  const untold = async (why: string) => ({ ...head, ...(await withoutDraws(db, of, numbers, why)) });
  if (!draws) return untold(rule === null ? UNTOLD : TOO_MANY);
  const limit = Math.floor(MOST_JUDGED / draws.length);
  const choices = await store.exposedChoices(db, { gameId, phase, limit: limit + 1 });
  if (choices.length > limit) return untold(TOO_VARIED);
  const ids = rulesOf([...numbers, ...choices]);
  const rules = await store.keptRules(db, ids);
  const lines = await cutLines(db, of, ids, draws.length);
  const cut = lines && lines.length > 0 ? cutByDraw(lines, rules, drawTime) : () => 0n;
  const told = await outlookOf({ drawTime, numbers, choices, rules, cut }, draws);
  const sorted = told.toSorted((one, other) => (one.result < other.result ? -1 : 1));
  const [worst, best] = [sorted[0], sorted.at(-1)];
  const sum = told.reduce((all, { result }) => all + result, 0n);
  return {
    ...head,
    worst: worst ? moneyOf(worst.result) : null,
    best: best ? moneyOf(best.result) : null,
    expected: moneyOf(sum / BigInt(told.length)),
    draws: sorted.map(({ draw, result }) => ({ draw, result: moneyOf(result) })),
    problem: lines ? null : UNCUT,
  };
}

/** The same of the phase that is shown; without one, or once what it exposed has been cleaned away, nothing but why. */
export async function outlookOfPhase(db: Db, found: ExposedPhase | undefined): Promise<ExposureOutlook> {
  const above = await readParam(db, 'bet.exposureWarnAbove');
  const warnAbove = Number(above) === 0 ? null : above;
  const head = { phase: found?.phase ?? null, stake: '0.00', warnAbove };
  if (!found) return { ...head, ...nothing, problem: null };
  if (found.isOld) return { ...head, ...nothing, problem: OLD };
  return outlook(db, found, warnAbove);
}
