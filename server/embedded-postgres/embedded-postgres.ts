import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '#server/db/driver/connection.ts';
import { isConnectionLoss } from '#server/db/driver/outage.ts';
import { tryDataFolder, unusable } from './data-folder.ts';
import { EmbeddedPostgresError, findBinaries } from './postgres-binaries.ts';
import {
  checkFolder,
  chooseKept,
  choosePassword,
  initialise,
  type Kept,
  readKept,
  writeKept,
} from './postgres-folder.ts';
import { type Cluster, findRunning, freePort, startPostmaster, stopPostmaster } from './postmaster.ts';
import { chooseRunner, reasonOf } from './unprivileged.ts';

export interface EmbeddedPostgres {
  /** For the server: its role owns nothing. */
  readonly url: string;
  /** For migrations: its role owns the database and all in it, and is no superuser. */
  readonly ownerUrl: string;
  /** For the superuser. Tests make databases with it; the application never uses it. */
  readonly adminUrl: string;
  /** Stops PostgreSQL and lets go of the folder. */
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  /** False: fast and forgetful, for tests. */
  readonly durable?: boolean;
  /** Told when PostgreSQL ended by itself and was started again, or could not be. */
  readonly onEvent?: (sentence: string) => void;
}

/** The database, and the role that owns it. */
const NAME = 'back_office';
/** The role the server works under. */
const SERVER = 'back_office_server';
/** Held by the one server that works on this folder. */
const SERVER_LOCK = 7_206_914_034;
/** Tenths of a second in which a server that was told to stop has let go. */
const LOCK_ATTEMPTS = 50;

const urlOf = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

const ownerUrl = ({ password, port }: Kept): string => urlOf(NAME, password, port, NAME);

/** A folder that a program of before there were two roles works on has the owner's only. */
const serverUrl = (kept: Kept): string =>
  kept.serverPassword ? urlOf(SERVER, kept.serverPassword, kept.port, NAME) : ownerUrl(kept);

const openSession = (url: string, onLost: (session: Connection) => void): Promise<Connection> =>
  Connection.open({ url, session: { application_name: `back-office ${process.pid}` }, answerMs: 0 }, onLost);

/**
 * Makes the database and both roles on first use, and the server's role in a folder of before there were two; gives what is to be kept.
 * Passwords are our own, of letters and digits.
 */
async function makeDatabase(port: number, kept: Kept, file: string): Promise<Partial<Kept>> {
  const admin = await openSession(urlOf('postgres', kept.adminPassword, port, 'postgres'), () => {});
  const exists = async (query: string) => (await admin.control(query)).rows.length > 0;
  // Another server may be at it; the lock goes with the session.
  await admin.control(`select pg_advisory_lock(${SERVER_LOCK})`);
  const serverPassword = readKept(file)?.serverPassword ?? kept.serverPassword ?? choosePassword();
  for (const [name, password] of [
    [NAME, kept.password],
    [SERVER, serverPassword],
  ] as const) {
    const way = (await exists(`select from pg_roles where rolname = '${name}'`)) ? 'alter' : 'create';
    await admin.control(
      `${way} role ${name} login nosuperuser nocreatedb nocreaterole password '${password}'`,
    );
  }
  if (!(await exists(`select from pg_database where datname = '${NAME}'`)))
    await admin.control(`create database ${NAME} owner ${NAME}`);
  // Kept before the lock goes, so that whoever comes next finds the same.
  const made = { serverPassword, made: true };
  writeKept(file, { ...kept, ...made });
  await admin.close();
  return made;
}

/** Runs one PostgreSQL for one server, and starts it again when it ends by itself. */
class Supervisor {
  readonly #cluster: Cluster;
  readonly #file: string;
  readonly #onEvent: (sentence: string) => void;
  #kept: Kept;
  #lock: Connection | undefined;
  #stopping = false;
  #reviving: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, file: string, kept: Kept, onEvent: (sentence: string) => void) {
    this.#cluster = cluster;
    this.#file = file;
    this.#kept = kept;
    this.#onEvent = onEvent;
  }

  get url(): string {
    return serverUrl(this.#kept);
  }

  get ownerUrl(): string {
    return ownerUrl(this.#kept);
  }

  get adminUrl(): string {
    return urlOf('postgres', this.#kept.adminPassword, this.#kept.port, 'postgres');
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#run(() => freePort(this.#kept.port));
        if (!this.#kept.made || !this.#kept.serverPassword)
          this.#keep(await makeDatabase(this.#kept.port, this.#kept, this.#file));
        await this.#takeLock();
        return;
      } catch (error) {
        // The server before us may have been about to stop the PostgreSQL that we found running.
        if (attempt === 3 || !isConnectionLoss(error)) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#lock?.close();
    await this.#reviving;
    await stopPostmaster(this.#cluster);
  }

  /** Finds PostgreSQL running (its server was killed) or starts it. */
  async #run(choosePort: () => Promise<number>): Promise<void> {
    const port = (await findRunning(this.#cluster)) ?? (await this.#startOrFind(await choosePort()));
    if (port !== this.#kept.port) this.#keep({ port });
  }

  async #startOrFind(chosen: number): Promise<number> {
    try {
      await startPostmaster(this.#cluster, chosen);
      return chosen;
    } catch (error) {
      // Another server may have been faster; the lock will tell the two apart.
      const port = await findRunning(this.#cluster);
      if (port === null) throw error;
      return port;
    }
  }

  #keep(changes: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...changes };
    writeKept(this.#file, this.#kept);
  }

  /** A session's lock ends with the session, so a killed server never blocks the next; its end may take a moment to be noticed. */
  async #takeLock(): Promise<void> {
    const session = await openSession(this.url, (lost) => {
      if (lost === this.#lock) this.#reviving = this.#revive();
    });
    for (let attempt = 1; ; attempt++) {
      const { rows } = await session.control(`select pg_try_advisory_lock(${SERVER_LOCK}) as taken`);
      if (rows[0]?.taken === true) break;
      if (attempt > LOCK_ATTEMPTS) {
        await session.close();
        throw new EmbeddedPostgresError(
          `数据目录 ${this.#cluster.folder} 正被另一个正在运行的服务使用；请先停止它，或用环境变量 DATA_DIR 另选目录`,
        );
      }
      await sleep(100);
    }
    this.#lock = session;
  }

  /** The lock's session ended without our doing: PostgreSQL was stopped, killed, or has started over. */
  async #revive(): Promise<void> {
    const { port } = this.#kept;
    // Whoever works with the database knows it by the port it had.
    const samePort = async () => {
      if ((await freePort(port)) === port) return port;
      throw new EmbeddedPostgresError(`端口 ${port} 被另一个程序占用`);
    };
    for (let told = false; !this.#stopping; await sleep(200)) {
      try {
        await this.#run(samePort);
        if (this.#stopping) return;
        await this.#takeLock();
        this.#onEvent('内置 PostgreSQL 曾意外停止，已重新启动');
        return;
      } catch (error) {
        if (!told) this.#onEvent(`内置 PostgreSQL 意外停止，正在重试。原因：${reasonOf(error)}`);
        told = true;
      }
    }
  }
}

/**
 * Starts PostgreSQL on a folder of its own, listening on 127.0.0.1 only; makes the folder on first use, finds a
 * PostgreSQL that outlived its server, and refuses a folder another living server works on. Throws `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres({
  dataDir,
  durable = true,
  onEvent = () => {},
}: Options): Promise<EmbeddedPostgres> {
  try {
    tryDataFolder(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(unusable(dataDir, error));
  }
  // One name for it, however it was reached: the command line of a running PostgreSQL is known by it.
  const folder = join(realpathSync(dataDir), 'postgres');
  const file = join(dataDir, 'postgres.json');
  const binaries = findBinaries();
  const runner = await chooseRunner(folder, dataDir, [binaries.postgres, '--version']);
  const cluster: Cluster = { folder, binaries, runner, durable };
  let kept = readKept(file);
  if (!existsSync(folder)) {
    kept ??= chooseKept(file);
    kept = { ...kept, made: false };
    await initialise(cluster, kept.adminPassword);
  }
  if (!kept) throw new EmbeddedPostgresError(`缺少 ${file}（内置 PostgreSQL 的密码），请从备份恢复`);
  checkFolder(cluster);
  const supervisor = new Supervisor(cluster, file, kept, onEvent);
  await supervisor.start();
  const { url, ownerUrl, adminUrl } = supervisor;
  return { url, ownerUrl, adminUrl, stop: () => supervisor.stop() };
}

/** Where the PostgreSQL of a server that works on this folder listens, or last listened; for tools that run beside it. */
export function embeddedUrl(dataDir: string): string | undefined {
  const kept = readKept(join(dataDir, 'postgres.json'));
  return kept ? serverUrl(kept) : undefined;
}
