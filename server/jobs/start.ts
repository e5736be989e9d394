import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/config.ts';
import type { Connections } from '#server/db/connections.ts';
import { createVault } from '#server/vault.ts';
import { workers } from './all-workers.ts';
import { startFolding } from './count-folder.ts';
import { startDraws } from './draw-timer.ts';
import { runPart } from './parts.ts';
import { startQueue } from './queue.ts';
import type { JobLog, JobServices } from './workers.ts';

interface JobsOptions {
  connections: Connections;
  config: Config;
  log: JobLog;
  /** The system's clock unless given. */
  clock?: () => Date;
}

const QUEUE_PAUSE_MS = 1_000;

/** Starts the queue, and again until that goes well: draws wait for no queue. */
function keepStartingQueue(services: JobServices): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let queue: Awaited<ReturnType<typeof startQueue>> | undefined;
  const start = async (): Promise<void> => {
    queue = await startQueue(services, workers);
  };
  const starting = (async () => {
    while (!stopping.signal.aborted && (await runPart(services.log, 'queue-start', start)) !== undefined)
      await sleep(QUEUE_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
  })();
  return {
    stop: async () => {
      stopping.abort();
      await starting;
      await queue?.stop();
    },
  };
}

/**
 * Starts all background work of this server; any number of servers may do so over one database. What cannot start or fails
 * is tried again and holds nothing else up.
 */
export function startJobs({ connections, config, log, clock = () => new Date() }: JobsOptions): {
  stop: () => Promise<void>;
} {
  const vault = createVault(config.secret);
  const services: JobServices = { db: connections.jobs, config, log, clock, vault };
  // Nothing else may hold up what is due.
  const draws = startDraws({ ...services, db: connections.draws }, services);
  const running = [draws, startFolding(services), keepStartingQueue(services)];
  return {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
