import { isConnectionLoss } from '#server/db/outage.ts';
import type { FailedPhase } from '#server/features/draw-plans/draw-alarms.ts';
import { drawPromised } from '#server/features/draw-plans/local-draws.ts';
import { markLatePlans, nextDue, openAllDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { PROMISES_AT_ONCE, promisePlans } from '#server/features/draw-plans/promise-plans.ts';
import { hurrySpiders } from '#server/features/spiders/spider-run.ts';
import { runPart } from './parts.ts';
import type { JobServices } from './workers.ts';

/** A server looks at the plans at least this often, and otherwise when the next one is due. */
const LONGEST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 20;

type Parts = Readonly<Record<string, () => Promise<unknown>>>;

/** Runs parts one after the other, whatever becomes of each; only where the database is away the rest would wait for nothing. */
async function runParts({ log }: JobServices, parts: Parts): Promise<void> {
  for (const [name, work] of Object.entries(parts))
    if (isConnectionLoss(await runPart(log, name, work))) return;
}

/** One look: opens what is due, draws what was promised, promises what comes, and hurries the spiders of what is open. */
export async function lookAtPlans(services: JobServices): Promise<void> {
  const { db, vault, clock, log } = services;
  const tell = (failed: readonly FailedPhase[], what: string) => {
    for (const phase of failed) log.error(phase, what);
  };
  let waiting: readonly number[] = [];
  const open = async () => {
    const opened = await openAllDuePlans(db, clock());
    waiting = opened.waiting;
    tell(opened.failed, 'a plan cannot be opened');
  };
  const draw = async () => {
    for (let more = true; more; ) {
      const { count, failed } = await drawPromised(db, vault, clock());
      tell(failed, 'a promised draw failed');
      more = count > 0;
    }
  };
  const promise = async () => {
    for (let more = true; more; ) {
      const { count, failed } = await promisePlans(db, vault, clock());
      tell(failed, 'a draw cannot be promised');
      more = count === PROMISES_AT_ONCE;
      // Nothing that is due waits for more than one such batch.
      if (more) await runParts(services, { 'open-plans': open, 'local-draws': draw });
    }
  };
  await runParts(services, {
    'open-plans': open,
    'local-draws': draw,
    'hurry-spiders': async () => hurrySpiders(db, waiting, clock(), Math.random),
    'draw-promises': promise,
    'late-plans': async () => {
      for (const late of await markLatePlans(db, clock())) log.warn(late, 'a draw is late');
    },
  });
}

async function pauseOf({ db, clock }: JobServices): Promise<number> {
  const due = await nextDue(db, clock());
  if (due === undefined) return LONGEST_PAUSE_MS;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, due - clock().getTime()));
}

/** Keeps the plans' life going while this server may work, together with the timers of any number of other servers. */
export function startDraws(services: JobServices, mayWork: () => boolean): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    let pause = LONGEST_PAUSE_MS;
    const findPause = async () => {
      pause = await pauseOf(services);
    };
    if (mayWork()) {
      await lookAtPlans(services);
      await runParts(services, { 'next-draw': findPause });
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
