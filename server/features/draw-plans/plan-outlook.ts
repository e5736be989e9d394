import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PlanOutlook } from '#contract/draw-plans.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Window } from './draw-plan-store.ts';
import { type Generated, generatePlans } from './generate.ts';
import { lockPlannedGame } from './planned-game.ts';

interface Plan {
  readonly phase: string;
  readonly startTime: string;
  readonly endTime: string;
  /** Both as moments: where clocks show an hour twice, two plans have the same times. */
  readonly begins: number;
  readonly ends: number;
  readonly status: string;
  readonly stands: boolean;
  readonly isBetOn: boolean;
  readonly isPromised: boolean;
  readonly inside: boolean;
}

type Told = PlanOutlook['fates'];
type Fate = Pick<Told[number], 'what' | 'why'>;

/** The plans that generating may touch: those of the window, and any that wait. */
async function plansOf(db: Db, gameId: number, { from, to }: Window, now: Date): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select phase, "startTime", "endTime", status,
      extract(epoch from "startTime")::float8 as begins, extract(epoch from "endTime")::float8 as ends,
      "startTime" <= ${now}::timestamptz and plan_stands(p, ${now}::timestamptz) as stands,
      status = 'WAITTING' and "startTime" <= ${now}::timestamptz and plan_is_bet_on(p) as "isBetOn",
      commitment is not null as "isPromised",
      "startTime" >= to_timestamp(${from}) and "startTime" < to_timestamp(${to}) as inside
    from draw_plan p
    where "gameId" = ${gameId}
      and (status = 'WAITTING' or "startTime" >= to_timestamp(${from}) and "startTime" < to_timestamp(${to}))
    order by "startTime", phase`.execute(db);
  return rows;
}

const whyKept: Readonly<Record<string, string>> = {
  OPENING: '已到开奖时间，等待结果',
  OPENED: '已有开奖结果',
  VOID: '已作废',
  WAITTING: '与日程一致',
};

/** Why a plan stays as it is. */
function whyStays(before: Plan, status: string): string {
  if (before.isBetOn) return '已有注单';
  if (before.stands) return '已开始投注';
  return before.isPromised && status === 'WAITTING' ? '与日程一致，开奖已承诺' : (whyKept[status] ?? '');
}

const timesOf = ({ begins, ends }: Plan): string => `${begins} ${ends}`;

/** What becomes of each plan, the former ones against those there are then. */
function* fates(before: readonly Plan[], after: readonly Plan[]): Generator<readonly [Plan, Fate]> {
  const byPhase = new Map(after.map((plan) => [plan.phase, plan]));
  const byStart = new Map(after.map((plan) => [plan.begins, plan]));
  const replacing = new Set<Plan>();
  for (const plan of before) {
    const now = byPhase.get(plan.phase);
    if (now && timesOf(now) === timesOf(plan)) {
      replacing.add(now);
      if (plan.inside) yield [plan, { what: 'KEPT', why: whyStays(plan, now.status) }];
      continue;
    }
    const instead = now ?? byStart.get(plan.begins);
    if (instead) replacing.add(instead);
    const gone = plan.inside ? '不在现在的日程中' : '期号与新计划冲突';
    if (!instead) yield [plan, { what: 'REMOVED', why: gone }];
    else yield [plan, { what: 'REPLACED', why: now ? '时间改为日程中的时间' : '期号改为日程中的期号' }];
  }
  for (const plan of after)
    if (!replacing.has(plan)) yield [plan, { what: 'ADDED', why: '日程中还没有计划的期次' }];
}

/** What alike befalls many plans, told once. */
function gathered(all: Iterable<readonly [Plan, Fate]>): Told {
  const groups = Map.groupBy(all, ([, { what, why }]) => `${what} ${why}`);
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    const [{ phase: firstPhase, startTime: from }, fate] = first;
    const [{ phase: lastPhase, endTime: to }] = last;
    return [{ ...fate, count: group.length, firstPhase, lastPhase, from, to }];
  });
}

/** What is done to which plan; why one stays may come to be another reason without anything being done otherwise. */
function digestOf(all: readonly (readonly [Plan, Fate])[]): string {
  const hash = createHash('sha256');
  for (const [plan, { what }] of all) hash.update(`${what} ${plan.phase} ${timesOf(plan)}\n`);
  return hash.digest('base64url');
}

type Asked = Parameters<typeof generatePlans>[1];

/** Generates, and tells what became of each plan. To be called in a transaction. Throws what `generatePlans` throws. */
async function generateTelling(
  tx: Db,
  asked: Asked,
): Promise<{ generated: Generated; outlook: PlanOutlook }> {
  const { gameId, window, now } = asked;
  await lockPlannedGame(tx, gameId);
  const before = await plansOf(tx, gameId, window, now);
  const generated = await generatePlans(tx, asked);
  const all = [...fates(before, await plansOf(tx, gameId, window, now))];
  return { generated, outlook: { digest: digestOf(all), fates: gathered(all) } };
}

/** Does exactly what a preview with this digest told. Throws `planOutlookStale` where that would be something else by now. */
export async function generateForeseen(tx: Db, asked: Asked, digest: string): Promise<Generated> {
  const { generated, outlook } = await generateTelling(tx, asked);
  if (outlook.digest !== digest) throw new Refusal('planOutlookStale');
  return generated;
}

/** Thrown to undo what was only tried. */
class Tried extends Error {
  readonly outlook: PlanOutlook;

  constructor(outlook: PlanOutlook) {
    super();
    this.outlook = outlook;
  }
}

/**
 * What generating would do, told by doing it in a transaction that is undone: the same code, with its refusals. It holds the game as
 * generating does. Throws what `generatePlans` throws.
 */
export async function outlookOf(db: Db, asked: Asked): Promise<PlanOutlook> {
  try {
    return await db.transaction().execute(async (tx) => {
      throw new Tried((await generateTelling(tx, asked)).outlook);
    });
  } catch (error) {
    if (error instanceof Tried) return error.outlook;
    throw error;
  }
}
