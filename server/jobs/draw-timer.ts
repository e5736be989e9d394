import { commitPlans, drawPromised } from '#server/features/draw-plans/local-draws.ts';
import { markLatePlans, nextDue, openDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { hurrySpiders } from '#server/features/spiders/spider-run.ts';
import type { JobServices } from './workers.ts';

/** A server looks at the plans at least this often, and otherwise when the next one is due. */
const LONGEST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 20;

/** One look: opens what is due, draws what was promised, promises what comes, and hurries the spiders of what is open. */
export async function lookAtPlans({ db, vault, clock, log }: JobServices): Promise<void> {
  const now = clock();
  const waiting = await openDuePlans(db, now);
  if (waiting.length > 0) await hurrySpiders(db, waiting, now, Math.random);
  while ((await drawPromised(db, vault, clock())) > 0);
  await commitPlans(db, vault, clock());
  for (const late of await markLatePlans(db, clock())) log.warn(late, 'a draw is late');
}

async function pauseOf({ db, clock }: JobServices): Promise<number> {
  const due = await nextDue(db);
  if (due === undefined) return LONGEST_PAUSE_MS;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, due - clock().getTime()));
}

/** Keeps the plans' life going, together with the timers of any number of other servers. */
export function startDraws(services: JobServices): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    let pause = LONGEST_PAUSE_MS;
    try {
      await lookAtPlans(services);
      pause = await pauseOf(services);
    } catch (error) {
      services.log.warn({ error: error instanceof Error ? error.message : error }, 'looking at the plans');
    }
    if (!stopped) timer = setTimeout(next, pause);
  };
  const next = (): void => {
    turn = look();
  };
  next();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
