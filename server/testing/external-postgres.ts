import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { findBinaries } from '#server/db/postgres-binaries.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/db/postmaster.ts';
import { chooseRunner } from '#server/db/unprivileged.ts';

/** A durable PostgreSQL that belongs to no server: tests stop, kill and start it as they like. It runs at first. */
export interface ExternalPostgres {
  readonly url: string;
  readonly adminUrl: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** kill -9. */
  kill(): void;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

export async function externalPostgres(): Promise<ExternalPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-external-'));
  const { url, adminUrl, stop } = await startEmbeddedPostgres({ dataDir });
  await stop();
  const folder = join(dataDir, 'postgres');
  const binaries = findBinaries();
  const runner = await chooseRunner(folder, dataDir, [binaries.postgres, '--version']);
  const cluster: Cluster = { folder, binaries, runner, durable: true };
  const port = Number(new URL(url).port);
  const start = async () => {
    const taken = await startPostmaster(cluster, port);
    if (taken !== port) throw new Error(`port ${port} is no longer free`);
  };
  await start();
  return {
    url,
    adminUrl,
    start,
    stop: () => stopPostmaster(cluster),
    kill: () => {
      process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    },
    remove: async () => {
      await stopPostmaster(cluster);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
