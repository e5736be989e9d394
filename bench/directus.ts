import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { freePort } from '#server/testing/free-port.ts';

interface Directus {
  readonly origin: string;
  /** What its administrator signs requests with. */
  readonly token: string;
  readonly end: () => Promise<void>;
}

/** Its tables lie in a schema of their own, beside those that it is asked for. */
const SCHEMA = 'directus';

/**
 * Directus as somebody installed it in a folder (`npm i directus`), over the database of a bench: at home on loopback, reporting to nobody, with
 * nothing in it that refuses under load.
 */
export async function startDirectus(folder: string, db: Db, databaseUrl: string): Promise<Directus> {
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(db);
  const port = await freePort();
  const token = randomUUID();
  const env = {
    ...process.env,
    ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: databaseUrl, DB_SEARCH_PATH: `array:${SCHEMA},public` },
    ...{ HOST: '127.0.0.1', PORT: String(port), SECRET: randomUUID(), LOG_LEVEL: 'error' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: randomUUID(), ADMIN_TOKEN: token },
    ...{ SERVE_APP: 'false', TELEMETRY: 'false', CACHE_ENABLED: 'false', PRESSURE_LIMITER_ENABLED: 'false' },
  };
  const run = (file: string, ...args: string[]): ChildProcess =>
    // By its own modules: its command asks the internet for news first.
    spawn(process.execPath, [join(folder, 'node_modules/@directus/api/dist', file), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const [code] = await once(run('cli/run.js', 'bootstrap'), 'exit');
  if (code !== 0) throw new Error(`Directus was not set up: ${code}`);
  const server = run('start.js');
  const ended = once(server, 'exit');
  // A bench that is cut off leaves no server behind.
  process.once('exit', () => server.kill('SIGKILL'));
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${origin}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error(`Directus did not start: ${server.exitCode}`);
    await sleep(100);
  }
  return {
    origin,
    token,
    end: async () => {
      server.kill('SIGTERM');
      await ended;
      await sql`drop schema ${sql.id(SCHEMA)} cascade`.execute(db);
    },
  };
}
