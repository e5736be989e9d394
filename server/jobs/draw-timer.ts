import { commitPlans, drawPromised } from '#server/features/draw-plans/local-draws.ts';
import { markLatePlans, nextDue, openDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { hurrySpiders, runSpider, takeDueSpiders } from '#server/features/spiders/spider-run.ts';
import type { JobServices } from './workers.ts';

/** A server looks at the plans at least this often, and otherwise when the next one is due. */
const LONGEST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 20;
const SPIDERS_AT_ONCE = 8;
/** What a stop waits for a source that is just being asked. */
const STOP_MS = 2_000;

/** One look: opens what is due, draws what was promised, promises what comes, and hurries the spiders of what is open. */
export async function lookAtPlans({ db, vault, clock, log }: JobServices): Promise<void> {
  const now = clock();
  const waiting = await openDuePlans(db, now);
  if (waiting.length > 0) await hurrySpiders(db, waiting, now, Math.random);
  while ((await drawPromised(db, vault, clock())) > 0);
  await commitPlans(db, vault, clock());
  for (const late of await markLatePlans(db, clock())) log.warn(late, 'a draw is late');
}

/** Runs spiders side by side, as many as there is room for. */
function spiderRunner(services: JobServices) {
  const running = new Set<Promise<void>>();
  const { db, clock, log } = services;
  const start = async (): Promise<void> => {
    const room = SPIDERS_AT_ONCE - running.size;
    if (room <= 0) return;
    for (const spider of await takeDueSpiders(db, clock(), room)) {
      const run = runSpider({ ...services, chance: Math.random }, spider)
        .catch((error: Error) => log.warn({ error: error.message, spider: spider.id }, 'running a spider'))
        .finally(() => running.delete(run));
      running.add(run);
    }
  };
  return { start, all: () => Promise.all(running) };
}

async function pauseOf({ db, clock }: JobServices): Promise<number> {
  const due = await nextDue(db);
  if (due === undefined) return LONGEST_PAUSE_MS;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, due - clock().getTime()));
}

/** Keeps the plans' life and the spiders going, together with the timers of any number of other servers. */
export function startDraws(services: JobServices, forSpiders: JobServices): { stop: () => Promise<void> } {
  const spiders = spiderRunner(forSpiders);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    let pause = LONGEST_PAUSE_MS;
    try {
      await lookAtPlans(services);
      await spiders.start();
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
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([spiders.all(), late]);
    },
  };
}
