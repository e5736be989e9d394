import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { ExposureOutlook, listExposure } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { readLineRules } from '../bets/line-rules.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { currentPhase } from '../slips/current-phase.ts';
import * as store from './exposure-store.ts';
import { drawsOf, moneyOf, outlookOf } from './outlook.ts';

type Asked = Input<typeof listExposure>;

/** The phase that is meant: the one that is open where none is said. */
async function phaseOf(db: Db, { gameId, phase }: Asked, now: Date) {
  if (gameId === undefined) return undefined;
  const found = phase ?? (await currentPhase(db, gameId, now))?.phase ?? undefined;
  return found === undefined ? undefined : { gameId, phase: found };
}

const nothing = { worst: null, best: null, expected: null, draws: [] };
/** So many judgements are made at most for one answer. */
const MOST_JUDGED = 400_000;

async function drawTimeOf(db: Db, gameId: number, phase: string): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select "endTime" as at from draw_plan where "gameId" = ${gameId} and phase = ${phase}`.execute(db);
  return rows[0]?.at ?? '';
}

async function outlook(
  db: Db,
  gameId: number,
  phase: string,
  warnAbove: string | null,
): Promise<ExposureOutlook> {
  const rule = await resultRuleOf(db, gameId);
  const draws = drawsOf(rule);
  const numbers = await store.exposedNumbers(db, gameId, phase);
  const stake = moneyOf(numbers.reduce((sum, each) => sum + tenThousandths(each.stake), 0n));
  const head = { phase, stake, warnAbove };
  if (!draws) return { ...head, ...nothing, problem: '该游戏的开奖结果超过 1,000 种，不逐一列出' };
  const limit = Math.floor(MOST_JUDGED / draws.length);
  const choices = await store.exposedChoices(db, { gameId, phase, limit: limit + 1 });
  if (choices.length > limit) return { ...head, ...nothing, problem: '不同的选号过多，不逐一计算' };
  const kept = await store.keptRules(db, [
    ...new Set([...numbers, ...choices].map(({ rulesId }) => rulesId)),
  ]);
  const rules = new Map(
    // What is chosen alike is judged together: what caps cut of a single unit or line says nothing of that.
    [...kept].map(([id, each]) => [id, { ...readLineRules(each), caps: undefined }]),
  );
  const drawTime = await drawTimeOf(db, gameId, phase);
  const told = await outlookOf({ rule, drawTime, numbers, choices, rules }, draws);
  const sorted = told.toSorted((one, other) => (one.result < other.result ? -1 : 1));
  const [worst, best] = [sorted[0], sorted.at(-1)];
  const sum = told.reduce((all, { result }) => all + result, 0n);
  return {
    ...head,
    worst: worst ? moneyOf(worst.result) : null,
    best: best ? moneyOf(best.result) : null,
    expected: moneyOf(sum / BigInt(told.length)),
    draws: sorted.map(({ draw, result }) => ({ draw, result: moneyOf(result) })),
    problem: null,
  };
}

export const exposureHandlers = handlers({
  listExposure: async ({ db, now }, asked) => {
    const found = await phaseOf(db, asked, now);
    return found ? store.listExposure(db, found.gameId, found.phase) : [];
  },
  getExposureOutlook: async ({ db, now }, asked) => {
    const above = await readParam(db, 'bet.exposureWarnAbove');
    const warnAbove = Number(above) === 0 ? null : above;
    const found = await phaseOf(db, asked, now);
    if (!found) return { phase: null, stake: '0.00', warnAbove, ...nothing, problem: null };
    return outlook(db, found.gameId, found.phase, warnAbove);
  },
});
