import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect } from '#server/db/database.ts';
import type { EmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/embedded-postgres/postmaster.ts';
import { chooseRunner } from '#server/embedded-postgres/unprivileged.ts';
import { freePort } from './free-port.ts';

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
export async function startSystemPostgres(folder: string, durable = true): Promise<SystemPostgres> {
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
  const cluster: Cluster = { folder: data, binaries, runner, durable };
  const port = await freePort();
  await startPostmaster(cluster, port);
  return {
    url: `postgres://owner:backup@127.0.0.1:${port}/postgres`,
    stop: () => stopPostmaster(cluster),
  };
}

/** The same, fast and forgetful, with a role that owns and one that serves, as the embedded PostgreSQL has them. */
export async function startSystemPostgresForTests(folder: string): Promise<EmbeddedPostgres> {
  const { url: adminUrl, stop } = await startSystemPostgres(folder, false);
  const admin = connect(adminUrl, { timeZone: 'UTC', max: 1 });
  const urlOf = async (name: string): Promise<string> => {
    await sql.raw(`create role ${name} login password 'tests'`).execute(admin);
    return Object.assign(new URL(adminUrl), { username: name, password: 'tests', pathname: 'back_office' })
      .href;
  };
  const [ownerUrl, url] = [await urlOf('back_office'), await urlOf('back_office_server')];
  await sql`create database back_office owner back_office`.execute(admin);
  await admin.destroy();
  return { url, ownerUrl, adminUrl, stop };
}
