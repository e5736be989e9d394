import { sql } from 'kysely';
import type { PlanOutlook } from '#contract/draw-plans.ts';
import type { Db } from '#server/db/database.ts';
import type { Window } from './draw-plan-store.ts';
import { generatePlans } from './generate.ts';

interface Plan {
  readonly phase: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly stands: boolean;
  readonly inside: boolean;
}

type Fate = Pick<PlanOutlook[number], 'what' | 'why'>;

/** The plans that generating may touch: those of the window, and any that wait. */
async function plansOf(db: Db, gameId: number, { from, to }: Window, now: Date): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select phase, "startTime", "endTime", status,
      "startTime" <= ${now}::timestamptz and plan_stands(p, ${now}::timestamptz) as stands,
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

const timesOf = ({ startTime, endTime }: Plan): string => `${startTime} ${endTime}`;

/** What becomes of each plan, the former ones against those there are then. */
function* fates(before: readonly Plan[], after: readonly Plan[]): Generator<readonly [Plan, Fate]> {
  const byPhase = new Map(after.map((plan) => [plan.phase, plan]));
  const byStart = new Map(after.map((plan) => [plan.startTime, plan]));
  const replacing = new Set<Plan>();
  for (const plan of before) {
    const now = byPhase.get(plan.phase);
    if (now && timesOf(now) === timesOf(plan)) {
      replacing.add(now);
      const why = plan.stands ? '已开始投注' : (whyKept[now.status] ?? '');
      if (plan.inside) yield [plan, { what: 'KEPT', why }];
      continue;
    }
    const instead = now ?? byStart.get(plan.startTime);
    if (instead) replacing.add(instead);
    const gone = plan.inside ? '不在现在的日程中' : '期号与新计划冲突';
    if (!instead) yield [plan, { what: 'REMOVED', why: gone }];
    else yield [plan, { what: 'REPLACED', why: now ? '时间改为日程中的时间' : '期号改为日程中的期号' }];
  }
  for (const plan of after)
    if (!replacing.has(plan)) yield [plan, { what: 'ADDED', why: '日程中还没有计划的期次' }];
}

/** What alike befalls many plans, told once. */
function gathered(all: Iterable<readonly [Plan, Fate]>): PlanOutlook {
  const groups = Map.groupBy(all, ([, { what, why }]) => `${what} ${why}`);
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    const [{ phase: firstPhase, startTime: from }, fate] = first;
    const [{ phase: lastPhase, endTime: to }] = last;
    return [{ ...fate, count: group.length, firstPhase, lastPhase, from, to }];
  });
}

/** Thrown to undo what was only tried. */
class Tried extends Error {}

/**
 * What generating would do, told by doing it in a transaction that is undone: the same code, with its refusals. It holds the game as
 * generating does. Throws what `generatePlans` throws.
 */
export async function outlookOf(db: Db, asked: Parameters<typeof generatePlans>[1]): Promise<PlanOutlook> {
  const { gameId, window, now } = asked;
  let outlook: PlanOutlook = [];
  await db
    .transaction()
    .execute(async (tx) => {
      const before = await plansOf(tx, gameId, window, now);
      await generatePlans(tx, asked);
      outlook = gathered(fates(before, await plansOf(tx, gameId, window, now)));
      throw new Tried();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error;
    });
  return outlook;
}
