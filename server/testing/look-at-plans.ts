import { latePlans } from '#server/jobs/late-plans.ts';
import { measured } from '#server/jobs/measures.ts';
import type { JobServices, Turn } from '#server/jobs/part.ts';
import { planLife } from '#server/jobs/plan-life.ts';

const turn: Turn = { isStopping: () => false, beside: (_name, work) => work() };

/** One look of a server at the plans: a turn of each part that moves them on, one after the other, whatever becomes of each. */
export async function lookAtPlans(services: JobServices): Promise<void> {
  for (const part of [...planLife(), latePlans])
    await measured(services.log, part.name, () => part.run(services, turn));
}
