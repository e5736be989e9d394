import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const version = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync('pgbouncer', ['--version']).stdout ?? ''));
/** From 1.21 on it knows prepared statements. */
const prepares = Number(version?.[1]) > 1 || Number(version?.[2]) >= 21;

/** Whether this machine has PgBouncer. */
export const hasPooler = version !== null;

export interface Pooler {
  /** The database by way of it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Waits until somebody listens. */
async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1');
    const answered = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (answered) return;
    await sleep(50);
  }
  throw new Error('PgBouncer does not listen');
}

/** Starts PgBouncer in transaction mode, as docs/operations.md says, with few connections to the database at `url`. */
export async function startPooler(url: string): Promise<Pooler> {
  const direct = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'back-office-pooler-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users.txt'), `"${direct.username}" "${direct.password}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
back_office = host=127.0.0.1 port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
${prepares ? 'max_prepared_statements = 500' : ''}
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`,
  );
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync('chown', ['-R', 'nobody', folder]);
  const pooler = spawn('pgbouncer', [
    ...(asRoot ? ['-u', 'nobody'] : []),
    '-q',
    join(folder, 'pgbouncer.ini'),
  ]);
  await listens(port);
  const pooled = new URL(url);
  pooled.port = String(port);
  if (!prepares) pooled.searchParams.set('prepare', 'false');
  return {
    url: pooled.href,
    stop: async () => {
      pooler.kill('SIGKILL');
      await once(pooler, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
