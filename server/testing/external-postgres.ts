import { appendFileSync, chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { findBinaries } from '#server/embedded-postgres/postgres-binaries.ts';
import { checkFolder } from '#server/embedded-postgres/postgres-folder.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/embedded-postgres/postmaster.ts';
import { chooseRunner } from '#server/embedded-postgres/unprivileged.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL that tests stop, kill and start as they like. */
interface Controlled {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** kill -9. */
  kill(): void;
  /** SIGSTOP to all its processes: connections stay, nothing answers. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** A durable PostgreSQL that belongs to no server. It runs at first. */
export interface ExternalPostgres extends Controlled {
  readonly url: string;
  readonly ownerUrl: string;
  readonly adminUrl: string;
  /** Starts a streaming replica beside it, with these settings; it stands still for a moment to be copied. */
  replicate(settings?: Readonly<Record<string, string>>): Promise<Controlled & { readonly url: string }>;
}

function controlled(cluster: Cluster, port: number): Controlled {
  const { folder } = cluster;
  const postmaster = () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = postmaster();
    process.kill(pid, signal);
    // Only after its parent stands still can no new one come.
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const child of children.filter((each) => each !== '')) {
      try {
        process.kill(Number(child), signal);
      } catch (error) {
        // One that ended meanwhile needs no signal.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  return {
    start: () => startPostmaster(cluster, port),
    stop: () => stopPostmaster(cluster),
    kill: () => process.kill(postmaster(), 'SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    remove: async () => {
      await stopPostmaster(cluster);
      rmSync(dirname(folder), { recursive: true, force: true });
    },
  };
}

const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');

export async function externalPostgres(): Promise<ExternalPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-external-'));
  const { url, ownerUrl, adminUrl, stop } = await startEmbeddedPostgres({ dataDir });
  await stop();
  const folder = join(dataDir, 'postgres');
  const binaries = findBinaries();
  const runner = await chooseRunner(folder, dataDir, [binaries.postgres, '--version']);
  const primary: Cluster = { folder, binaries, runner, durable: true };
  appendFileSync(join(folder, 'postgresql.auto.conf'), lines({ wal_keep_size: '1GB' }));
  const port = Number(new URL(url).port);
  const control = controlled(primary, port);
  await control.start();
  return {
    ...control,
    url,
    ownerUrl,
    adminUrl,
    replicate: async (settings = {}) => {
      const place = join(mkdtempSync(join(tmpdir(), 'back-office-replica-')), 'postgres');
      await control.stop();
      cpSync(folder, place, { recursive: true, preserveTimestamps: true });
      chmodSync(place, 0o700);
      const { username, password } = new URL(adminUrl);
      const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
      appendFileSync(join(place, 'postgresql.auto.conf'), lines({ primary_conninfo: source, ...settings }));
      writeFileSync(join(place, 'standby.signal'), '');
      const copy: Cluster = { ...primary, folder: place };
      checkFolder(copy);
      await control.start();
      const own = await freePort();
      const replica = controlled(copy, own);
      await replica.start();
      const at = new URL(url);
      at.port = String(own);
      return { ...replica, url: at.href };
    },
  };
}
