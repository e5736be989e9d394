import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './living-process.ts';
import { EmbeddedPostgresError, type PostgresBinaries } from './postgres-binaries.ts';
import { type Runner, reasonOf } from './unprivileged.ts';

/** A data folder of PostgreSQL and the means to run it. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly runner: Runner;
  /** False: what is written may be lost with the machine. For tests. */
  readonly durable: boolean;
}

const MAX_LOG_BYTES = 10_000_000;

/** The lines of postmaster.pid that matter to us. */
function readPidFile(folder: string): { pid: number; port: number; status: string } | null {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/** The port of a postmaster that runs already, once it is ready; waits for one that starts or stops. */
export async function findRunning({ folder }: Cluster): Promise<number | null> {
  for (let found = readPidFile(folder); found; found = readPidFile(folder)) {
    if (!isAlive(found.pid, folder)) return null;
    if (found.status === 'ready') return found.port;
    await sleep(50);
  }
  return null;
}

function settingsOf(port: number, durable: boolean): string {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    jit: 'off',
    random_page_cost: '1.1',
    // Statements and details may hold what players and operators typed.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    // Enough for several servers, each of which has some forty.
    max_connections: '400',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
}

/** A port nobody listens on now: the wanted one if possible. */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  const listening = (port: number) =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  if (!(await listening(wanted))) await listening(0);
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the postmaster, which takes connections at this port then. */
export async function startPostmaster(cluster: Cluster, port: number): Promise<void> {
  const { folder, binaries, runner, durable } = cluster;
  const log = join(folder, 'server.log');
  if (existsSync(log) && statSync(log).size > MAX_LOG_BYTES) renameSync(log, `${log}.1`);
  // PostgreSQL would take whatever process has that number by now, even a corpse, for a postmaster.
  const left = readPidFile(folder);
  if (left && !isAlive(left.pid, folder)) rmSync(join(folder, 'postmaster.pid'), { force: true });
  // Processes of a postmaster that was killed may hold its memory for a moment yet.
  for (let attempt = 1; ; attempt++) {
    try {
      await runner.run(binaries.pgCtl, [
        'start',
        '-w',
        '-t',
        '600',
        '-s',
        '-D',
        folder,
        '-l',
        log,
        '-o',
        settingsOf(port, durable),
      ]);
      return;
    } catch (error) {
      if (attempt < 10 && existsSync(log) && isStillHeld(readFileSync(log, 'utf8'))) await sleep(300);
      else throw new EmbeddedPostgresError(`内置 PostgreSQL 启动失败，详见 ${log}。原因：${reasonOf(error)}`);
    }
  }
}

const isStillHeld = (log: string): boolean => log.slice(-1000).includes('pre-existing shared memory block');

/** Stops the postmaster; whoever is connected is cut off, and what was committed stays. */
export async function stopPostmaster({ folder, binaries, runner }: Cluster): Promise<void> {
  const stop = (mode: string, seconds: number) =>
    runner.run(binaries.pgCtl, ['stop', '-w', '-t', String(seconds), '-s', '-D', folder, '-m', mode]);
  if (!readPidFile(folder)) return;
  // A shutdown that takes too long is cut short; the next start then replays the log.
  await stop('fast', 6).catch(() => stop('immediate', 2).catch(() => {}));
}
