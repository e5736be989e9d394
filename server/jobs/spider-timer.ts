import { takeDueSources, untilNextSource } from '#server/features/spiders/due-sources.ts';
import { runSource } from '#server/features/spiders/spider-run.ts';
import { runPart } from './parts.ts';
import type { JobServices } from './workers.ts';

const SOURCES_AT_ONCE = 24;
/** A host that does not answer keeps no more of the places than this. */
const AT_ONE_HOST = 4;
/** Another server may have hurried a spider meanwhile. */
const LONGEST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 20;
/** What a stop waits for a source that is just being asked. */
const STOP_MS = 2_000;

/** Runs sources side by side, as many as there is room for. */
function sourceRunner(services: JobServices) {
  const running = new Map<Promise<unknown>, string>();
  const { db, clock, log } = services;

  const busyHosts = (): string[] => {
    const counts = Map.groupBy(running.values(), (host) => host);
    return [...counts].filter(([, { length }]) => length >= AT_ONE_HOST).map(([host]) => host);
  };
  const start = async (): Promise<void> => {
    const room = SOURCES_AT_ONCE - running.size;
    if (room <= 0) return;
    for (const source of await takeDueSources(db, clock(), { room, busyHosts: busyHosts() })) {
      const run = runPart(log, 'source-runs', () =>
        runSource({ ...services, chance: Math.random }, source),
      ).finally(() => running.delete(run));
      running.set(run, source.host);
    }
  };
  const pause = async (): Promise<number> => {
    if (running.size >= SOURCES_AT_ONCE) return SHORTEST_PAUSE_MS * 5;
    const wait = (await untilNextSource(db, clock(), busyHosts())) ?? LONGEST_PAUSE_MS;
    return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, wait));
  };
  return { start, pause, all: () => Promise.all(running.keys()) };
}

/** Asks sources whenever a spider is due and its host may be asked while this server may work, together with any number of others. */
export function startSpiders(services: JobServices, mayWork: () => boolean): { stop: () => Promise<void> } {
  const sources = sourceRunner(services);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    let pause = LONGEST_PAUSE_MS;
    const ask = async () => {
      await sources.start();
      pause = await sources.pause();
    };
    if (mayWork()) await runPart(services.log, 'due-sources', ask);
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
      await Promise.race([sources.all(), late]);
    },
  };
}
