import type { Config } from '#server/config.ts';
import type { Connections } from '#server/db/connections.ts';
import { createVault } from '#server/vault.ts';
import { workers } from './all-workers.ts';
import { startFolding } from './count-folder.ts';
import { startDraws } from './draw-timer.ts';
import { startQueue } from './queue.ts';
import { startSpiders } from './spider-timer.ts';
import type { JobLog, JobServices } from './workers.ts';

interface JobsOptions {
  connections: Connections;
  config: Config;
  log: JobLog;
  /** The system's clock unless given. */
  clock?: () => Date;
}

/** Starts all background work of this server; any number of servers may do so over one database. */
export async function startJobs({
  connections,
  config,
  log,
  clock = () => new Date(),
}: JobsOptions): Promise<{ stop: () => Promise<void> }> {
  const services: JobServices = {
    db: connections.jobs,
    config,
    log,
    clock,
    vault: createVault(config.secret),
  };
  const queue = await startQueue(services, workers);
  const folding = startFolding(services);
  // Nothing else may hold up what is due.
  const draws = startDraws({ ...services, db: connections.draws });
  const spiders = startSpiders(services);
  return {
    stop: async () => {
      await Promise.all([queue.stop(), folding.stop(), draws.stop(), spiders.stop()]);
    },
  };
}
