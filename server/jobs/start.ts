import type { Config } from '#server/config.ts';
import type { Connections } from '#server/db/connections.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import type { Log } from '#server/log.ts';
import { createVault } from '#server/vault.ts';
import { allParts } from './all-parts.ts';
import { startPart, type Trouble } from './living-part.ts';
import type { Part } from './part.ts';

interface JobsOptions {
  connections: Connections;
  config: Config;
  log: Log;
  clock: DatabaseClock;
  /** What a stop waits for each part at most. */
  stopMs?: number;
}

/** The background work of a server. */
export interface Jobs {
  /** What is wrong with which parts at present. */
  troubles(): Trouble[];
  stop(): Promise<void>;
}

/**
 * Starts all background work of this server; any number of servers may do so over one database. Each part lives by itself:
 * one that fails, hangs or is slow holds up no other. A server whose clock is far off does nothing by it until it is right again.
 */
export function startJobs(
  { connections, config, log, clock, stopMs }: JobsOptions,
  parts: readonly Part[] = allParts(),
): Jobs {
  const vault = createVault(config.secret);
  const mayWork = () => clock.unfit() === undefined;
  const living = parts.map((part) => {
    const { name, connections: most = 1, opening, patient = false } = part;
    const db = connections.ofPart(name, most, { patient, ...(opening && { opening }) });
    return startPart(part, { db, config, log, clock: clock.now, vault }, mayWork, stopMs);
  });
  return {
    troubles: () => living.flatMap((each) => each.trouble() ?? []),
    stop: async () => {
      await Promise.all(living.map((each) => each.stop()));
    },
  };
}
