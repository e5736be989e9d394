import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/config.ts';
import type { Connections } from '#server/db/connections.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import { createVault } from '#server/vault.ts';
import { workers } from './all-workers.ts';
import { startCleaning } from './cleaner.ts';
import { startFolding } from './count-folder.ts';
import { startDraws } from './draw-timer.ts';
import { runPart } from './parts.ts';
import { startQueue } from './queue.ts';
import { startSpiders } from './spider-timer.ts';
import type { JobLog, JobServices } from './workers.ts';

interface JobsOptions {
  connections: Connections;
  config: Config;
  log: JobLog;
  clock: DatabaseClock;
}

const QUEUE_PAUSE_MS = 1_000;

/** Keeps the queue running while this server may work; one that cannot start is tried again, and draws wait for none. */
function keepQueue(services: JobServices, mayWork: () => boolean): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let queue: Awaited<ReturnType<typeof startQueue>> | undefined;
  const start = async (): Promise<void> => {
    queue = await startQueue(services, workers);
  };
  const stop = async (): Promise<void> => {
    const running = queue;
    queue = undefined;
    await running?.stop();
  };
  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      if (mayWork() && !queue) await runPart(services.log, 'queue-start', start);
      if (!mayWork() && queue) await runPart(services.log, 'queue-stop', stop);
      await sleep(QUEUE_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await keeping;
      await stop();
    },
  };
}

/**
 * Starts all background work of this server; any number of servers may do so over one database. What cannot start or fails
 * is tried again and holds nothing else up. A server whose clock is far off does nothing by it until the clock is right again.
 */
export function startJobs({ connections, config, log, clock }: JobsOptions): { stop: () => Promise<void> } {
  const vault = createVault(config.secret);
  const services: JobServices = { db: connections.jobs, config, log, clock: clock.now, vault };
  const mayWork = () => clock.unfit() === undefined;
  // Nothing else may hold up what is due.
  const draws = startDraws({ ...services, db: connections.draws }, mayWork);
  const spiders = startSpiders(services, mayWork);
  const others = [startFolding(services), startCleaning(services), keepQueue(services, mayWork)];
  const running = [draws, spiders, ...others];
  return {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
