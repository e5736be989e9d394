import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { createVault } from '#server/vault.ts';
import { workers } from './all-workers.ts';
import { startFolding } from './count-folder.ts';
import { startDraws } from './draw-timer.ts';
import { startQueue } from './queue.ts';
import type { JobLog, JobServices } from './workers.ts';

interface JobsOptions {
  db: Db;
  config: Config;
  log: JobLog;
  /** The system's clock unless given. */
  clock?: () => Date;
}

/** Starts all background work of this server; any number of servers may do so over one database. */
export async function startJobs({
  db,
  config,
  log,
  clock = () => new Date(),
}: JobsOptions): Promise<{ stop: () => Promise<void> }> {
  const services: JobServices = { db, config, log, clock, vault: createVault(config.secret) };
  const queue = await startQueue(services, workers);
  const folding = startFolding(services);
  const draws = startDraws(services);
  return {
    stop: async () => {
      await Promise.all([queue.stop(), folding.stop(), draws.stop()]);
    },
  };
}
