import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive } from '#server/embedded-postgres/living-process.ts';
import { databaseHosts, layOut, password, servingHosts } from './machines.ts';
import { type Service, startService } from './service.ts';
import { deployed, type Unit } from './unit.ts';

const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer', '/usr/lib/postgresql/15/bin/postgres'];

/** Whether this machine has all that a cluster is made of. */
export const hasCluster =
  process.platform === 'linux' &&
  programs.every((program) => spawnSync(program, ['--version'], { env: process.env }).error === undefined);

/** What Patroni says of a machine. */
interface Member {
  readonly name: string;
  readonly role: 'leader' | 'replica' | 'sync_standby';
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
}

export interface Machine {
  readonly host: string;
  readonly services: Readonly<Record<string, Service>>;
}

export interface Cluster {
  readonly folder: string;
  readonly databases: readonly Machine[];
  readonly serving: readonly Machine[];
  /** Where operators and the players' site go, one a machine that serves. */
  readonly origins: readonly string[];
  readonly url: string;
  readonly ownerUrl: string;
  /** The machine whose PostgreSQL is the primary, by Patroni's word. */
  primary(): Promise<Machine>;
  /** One that stands in for it: the synchronous one, or the other. */
  replica(kind: 'sync_standby' | 'replica'): Promise<Machine>;
  etcdLeader(): Promise<Machine>;
  /** SIGKILL to PostgreSQL's first process alone. */
  killPostgres(machine: Machine): void;
  /** Every machine streams, one of them synchronously, and every server is ready. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 120_000;

/** Looks until it is so; hooks have no `expect.poll`. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`in vain: ${what}`);
    await sleep(250);
  }
}

async function asked<T>(url: string, options: RequestInit = {}): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(2_000) });
    return (await answer.json()) as T;
  } catch {
    return undefined;
  }
}

async function members(): Promise<readonly Member[]> {
  for (const host of databaseHosts) {
    const said = await asked<{ members: Member[] }>(`http://${host}:8008/cluster`);
    if (said?.members) return said.members;
  }
  return [];
}

const startAll = (folder: string, host: string, names: readonly string[], unit: (name: string) => Unit) =>
  Object.fromEntries(
    names.map((name) => [name, startService(unit(name), join(folder, `${host}-${name}.log`))]),
  );

/** Gives the folder's machines their programs; those that serve need the roles first. */
function machineUnder(folder: string) {
  return (host: string, names: readonly string[]): Machine & { readonly more: (name: string) => void } => {
    const unit = layOut(join(folder, host), host);
    const services: Record<string, Service> = startAll(folder, host, names, unit);
    const more = (name: string) => Object.assign(services, startAll(folder, host, [name], unit));
    return { host, services, more };
  };
}

const found = async (is: (member: Member) => boolean, machines: readonly Machine[]): Promise<Machine> => {
  let machine: Machine | undefined;
  await until('a machine of that role', async () => {
    const member = (await members()).find(is);
    machine = machines.find(({ host }) => host === member?.name);
    return machine !== undefined;
  });
  if (!machine) throw new Error('no such machine');
  return machine;
};

async function makeRoles(primary: string): Promise<void> {
  const words = ['-h', primary, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-f', join(deployed, 'roles.sql')];
  const passwords = ['owner_password', 'server_password'].flatMap((name) => ['-v', `${name}=${password}`]);
  await promisify(execFile)('psql', [...words, ...passwords], {
    env: { ...process.env, PGPASSWORD: password },
  });
}

const isStreaming = (all: readonly Member[]): boolean =>
  all.length === databaseHosts.length &&
  all.filter(({ role }) => role === 'leader').length === 1 &&
  all.filter(({ role }) => role === 'sync_standby').length === 1 &&
  new Set(all.map(({ timeline }) => timeline)).size === 1 &&
  all.every(({ state, lag = 0 }) => ['running', 'streaming'].includes(state) && lag === 0);

const isReady = async (origin: string): Promise<boolean> =>
  (await asked<{ status: string }>(`${origin}/readyz`))?.status === 'ready';

async function etcdLeaderHost(): Promise<string | undefined> {
  for (const host of databaseHosts) {
    const said = await asked<{ leader?: string; header?: { member_id: string } }>(
      `http://${host}:2379/v3/maintenance/status`,
      { method: 'POST', body: '{}' },
    );
    if (said?.leader && said.leader === said.header?.member_id) return host;
  }
  return undefined;
}

const PREFIX = 'back-office-cluster-';

/** Ends what runs that were killed have left behind: each folder bears the number of the process that made it. */
function sweep(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const left = join(tmpdir(), name);
    if (isAlive(Number(/-(\d+)-/.exec(name)?.[1]))) continue;
    for (const pid of readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)) {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`).startsWith(`${left}/`) || isAlive(pid, `${left}/`))
          process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile, or is not ours to look at.
      }
    }
    rmSync(left, { recursive: true, force: true });
  }
}

/** Sets up the topology of docs/deployment.md from the files of deploy/cluster, each machine on an address of its own. */
export async function startCluster(): Promise<Cluster> {
  sweep();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755);
  const machine = machineUnder(folder);
  const databases = databaseHosts.map((host) => machine(host, ['etcd', 'patroni']));
  const serving = servingHosts.map((host) => machine(host, ['haproxy', 'pgbouncer']));
  const all = [...databases, ...serving];
  const stop = async () => {
    // Programs first that the others would miss.
    for (const name of ['back-office', 'pgbouncer', 'haproxy', 'patroni', 'etcd'])
      await Promise.all(all.map(({ services }) => services[name]?.stop()));
    if (process.env.KEEP_LOGS === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const primary = () => found(({ role, state }) => role === 'leader' && state === 'running', databases);
  const etcdLeader = async () => {
    const host = await etcdLeaderHost();
    const leader = databases.find((each) => each.host === host);
    if (!leader) throw new Error('etcd has no leader');
    return leader;
  };
  const killed = new Set<number>();
  const postmasterOf = ({ host }: Machine): number => {
    const file = join(folder, host, 'data', 'postgres', 'data', 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  };
  const origins = servingHosts.map((host) => `http://${host}:8000`);
  const whole = async () => {
    const isWhole = async () =>
      all.every(({ services }) => Object.values(services).every((service) => service.isRunning())) &&
      databases.map(postmasterOf).every((pid) => !killed.has(pid) && isAlive(pid)) &&
      isStreaming(await members()) &&
      (await etcdLeaderHost()) !== undefined &&
      (await Promise.all(servingHosts.map((host) => isReady(`http://${host}:8080`)))).every(Boolean);
    await until('everything is whole', isWhole);
  };
  const through = (user: string) => `postgres://${user}:${password}@${servingHosts[0]}:5000/back_office`;
  try {
    await until('all machines stream', async () => isStreaming(await members()));
    await makeRoles((await primary()).host);
    for (const { more } of serving) more('back-office');
    await whole();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ folder, databases, serving, origins, primary, etcdLeader, whole, stop },
    url: through('back_office_server'),
    ownerUrl: through('back_office'),
    replica: (kind) => found(({ role }) => role === kind, databases),
    killPostgres: (machine) => {
      const pid = postmasterOf(machine);
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    },
  };
}
