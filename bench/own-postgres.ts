import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';

const running = new Map<string, Promise<EmbeddedPostgres>>();
let isCutOff = false;

/** Stops what runs and removes its rows, unless they are to be kept. */
async function cutOff(code: number): Promise<void> {
  if (isCutOff) return;
  isCutOff = true;
  // One that is about to start is stopped once it has.
  for (const server of running.values()) await server.then((pg) => pg.stop()).catch(() => undefined);
  const kept = process.env.BENCH_DIR && resolve(process.env.BENCH_DIR);
  for (const folder of [...running.keys(), resolve(`data/bench-${process.pid}`)])
    if (!kept || !folder.startsWith(kept)) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

// A bench that is ended, or fails half way, leaves neither a PostgreSQL nor gigabytes of rows behind.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cutOff(128 + constants.signals[signal]));
process.once('uncaughtException', (error) => {
  console.error(error);
  void cutOff(1);
});

/** A PostgreSQL of a bench's own, in `data/bench-<process>` or BENCH_DIR; it ends with the bench, however that ends. */
export function startOwnPostgres(
  options: Parameters<typeof startEmbeddedPostgres>[0],
): Promise<EmbeddedPostgres> {
  const server = startEmbeddedPostgres(options);
  running.set(resolve(options.dataDir), server);
  return server;
}
