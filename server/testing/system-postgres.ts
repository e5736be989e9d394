import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/embedded-postgres/postmaster.ts';
import { chooseRunner } from '#server/embedded-postgres/unprivileged.ts';

// The PostgreSQL that the machine itself has: Debian's package `postgresql` puts each version into a folder of its own.
const HOME = '/usr/lib/postgresql';
const versions = existsSync(HOME) ? readdirSync(HOME).map(Number) : [];

/** The newest version the machine has; 0 without any. */
export const systemVersion = Math.max(
  0,
  ...versions.filter((version) => existsSync(`${HOME}/${version}/bin/initdb`)),
);

/** A program of that version. */
export const systemProgram = (name: string): string => join(HOME, String(systemVersion), 'bin', name);

export interface SystemPostgres {
  /** The superuser's. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the machine's PostgreSQL on a new folder. */
export async function startSystemPostgres(folder: string): Promise<SystemPostgres> {
  mkdirSync(folder);
  const binaries = {
    initdb: systemProgram('initdb'),
    pgCtl: systemProgram('pg_ctl'),
    postgres: systemProgram('postgres'),
  };
  const runner = await chooseRunner(folder, folder, [binaries.postgres, '--version']);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'backup');
  if (runner.owner) execFileSync('chown', ['-R', `${runner.owner.uid}:${runner.owner.gid}`, folder]);
  const data = join(folder, 'data');
  const options = ['-U', 'owner', '-A', 'scram-sha-256', '-E', 'UTF8', `--pwfile=${passwordFile}`];
  await runner.run(binaries.initdb, ['-D', data, ...options]);
  const cluster: Cluster = { folder: data, binaries, runner, durable: true };
  const port = await startPostmaster(cluster, 0);
  return {
    url: `postgres://owner:backup@127.0.0.1:${port}/postgres`,
    stop: () => stopPostmaster(cluster),
  };
}
