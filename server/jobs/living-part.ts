import { setTimeout as sleep } from 'node:timers/promises';
import { during } from '#server/db/driver/statements.ts';
import { createAlarmClock } from './alarm-clock.ts';
import { beginMeasuring, measured, noteFailure, noteLag } from './measures.ts';
import type { JobServices, Part, Turn } from './part.ts';

/** The first wait after a failure, and after a turn that left what was due as it was; both double up to the part's own pace. */
const AFTER_FAILURE_MS = 1_000;
const AFTER_NOTHING_MS = 20;
/** A server whose clock is off looks this often whether it has been set, and asks nobody. */
const RESTING_MS = 1_000;
const GIVES_WAY_MS = 3_000;
const GIVES_WAY_STEP_MS = 20;
/** What a stop waits for work that is under way; what is left undone is another server's. */
const STOP_MS = 3_000;
const PATIENCE_MS = 30_000;

/** What is wrong with a part at present: its last turn or look failed, or it owes for too long. */
export interface Trouble {
  readonly part: string;
  readonly what: string;
  readonly trouble: 'failing' | 'overdue';
}

/** A part that lives. */
export interface LivingPart {
  trouble(): Trouble | undefined;
  /** Ends it and waits for what is under way, though not for ever. */
  stop(): Promise<void>;
}

/** How a part fares; moments are those of `performance.now()`. */
interface State {
  /** Since when it owes something; nothing while it does not. */
  owedSince: number | undefined;
  /** What was due at its last turn, in epoch milliseconds. */
  lastDue: number | undefined;
  failures: number;
  fruitless: number;
  isStopping: boolean;
}

/** When to look next, and since when something is due then, where that is known. */
interface Next {
  readonly at: number;
  readonly dueSince?: number | undefined;
}

const now = (): number => performance.now();
const doubled = (first: number, times: number, most: number): number =>
  Math.min(most, first * 2 ** Math.min(times, 20));

/** When to come again to a part: what asks no rows is due by then. */
const comeAt = ({ nextDue }: Part, at: number): Next => (nextDue ? { at } : { at, dueSince: at });

/** Asks the rows when something is due. What stays due although a turn was taken is another server's, or stuck. */
async function look(part: Part, services: JobServices, state: State): Promise<Next> {
  if (!part.nextDue) return comeAt(part, now() + part.everyMs);
  state.owedSince ??= now();
  const due = await part.nextDue(services);
  const wait = due === undefined ? part.everyMs : due - services.clock().getTime();
  state.owedSince = wait < 0 ? now() + wait : undefined;
  if (due === undefined || wait >= part.everyMs) return { at: now() + part.everyMs };
  const isSame = state.lastDue !== undefined && due <= state.lastDue;
  state.fruitless = isSame ? state.fruitless + 1 : 0;
  state.lastDue = due;
  const pause = isSame ? doubled(AFTER_NOTHING_MS, state.fruitless, part.everyMs) : 0;
  return { at: now() + Math.max(wait, pause), dueSince: now() + wait };
}

/** Does what is due, after what is more urgent. Tells whether it went well. */
async function takeTurn(part: Part, services: JobServices, state: State, turn: Turn): Promise<boolean> {
  const until = now() + GIVES_WAY_MS;
  while (part.givesWay?.(services) && now() < until && !state.isStopping) await sleep(GIVES_WAY_STEP_MS);
  if (state.isStopping) return true;
  noteLag(part.name, now() - (state.owedSince ?? now()));
  return measured(services.log, part.name, () => part.run(services, turn));
}

/** Takes the turn that is due and looks on; tells when to come again. */
async function step(
  part: Part,
  services: JobServices,
  state: State,
  turn: Turn,
  dueSince?: number,
): Promise<Next> {
  const afterFailure = () => comeAt(part, now() + doubled(AFTER_FAILURE_MS, state.failures++, part.everyMs));
  try {
    if (dueSince !== undefined) {
      state.owedSince ??= dueSince;
      if (!(await takeTurn(part, services, state, turn))) return afterFailure();
      state.owedSince = undefined;
    }
    const next = await look(part, services, state);
    state.failures = 0;
    return next;
  } catch (error) {
    noteFailure(services.log, part.name, error);
    return afterFailure();
  }
}

const owedMsOf = ({ owedSince = Number.POSITIVE_INFINITY }: State): number => Math.max(0, now() - owedSince);

function troubleOf({ name, what, patienceMs = PATIENCE_MS }: Part, state: State): Trouble | undefined {
  if (state.failures > 0) return { part: name, what, trouble: 'failing' };
  return owedMsOf(state) > patienceMs ? { part: name, what, trouble: 'overdue' } : undefined;
}

/** Starts the life of a part: it sleeps, looks what is due, takes its turn, and waits for no other part. */
export function startPart(
  part: Part,
  services: JobServices,
  mayWork: () => boolean,
  stopMs = STOP_MS,
): LivingPart {
  const { name, firstMs = 0 } = part;
  const state: State = {
    owedSince: undefined,
    lastDue: undefined,
    failures: 0,
    fruitless: 0,
    isStopping: false,
  };
  const alarm = createAlarmClock();
  const asides = new Set<Promise<unknown>>();
  const turn: Turn = {
    isStopping: () => state.isStopping,
    beside: async (title, work) => {
      const aside = measured(services.log, title, work);
      asides.add(aside);
      await aside;
      asides.delete(aside);
    },
  };
  const trouble = () => troubleOf(part, state);
  const owedMs = () => owedMsOf(state);
  const endMeasuring = beginMeasuring({ name, owedMs, isInTrouble: () => trouble() !== undefined });
  const endHearing = part.wokenBy?.hear(alarm.wake);

  const live = async (): Promise<void> => {
    let next = comeAt(part, now() + firstMs);
    while (!state.isStopping) {
      const isWoken = await alarm.sleepUntil(next.at);
      if (state.isStopping) return;
      const dueSince = isWoken ? Math.min(now(), next.dueSince ?? now()) : next.dueSince;
      if (!part.anyClock && !mayWork()) next = comeAt(part, now() + RESTING_MS);
      else next = await step(part, services, state, turn, dueSince);
    }
  };
  const life = during({ kind: 'part', name }, live);
  return {
    trouble,
    stop: async () => {
      state.isStopping = true;
      endHearing?.();
      alarm.wake();
      const late = sleep(stopMs, undefined, { ref: false });
      await Promise.race([life.then(() => Promise.all(asides)), late]);
      endMeasuring();
    },
  };
}
