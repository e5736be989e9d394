import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { type ConnectOptions, connect, type Db } from '#server/db/database.ts';
import { type ExternalPostgres, externalPostgres } from './external-postgres.ts';
import { PastPrograms } from './past-program.ts';
import { type Program, startProgram } from './program.ts';

/** A connection that is there before it is used: several programs that begin at once may keep the machine too busy for a first answer in time. */
async function connected(url: string, options: ConnectOptions): Promise<Db> {
  const db = connect(url, options);
  await vi.waitFor(() => sql`select`.execute(db), { timeout: 60_000, interval: 500 });
  return db;
}

/** A PostgreSQL with databases that programs of the past make, and the newest one then starts on. */
export class Upgrading {
  readonly #programs = new PastPrograms();
  readonly #postgres: ExternalPostgres;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(postgres: ExternalPostgres, environment: Readonly<Record<string, string>>) {
    this.#postgres = postgres;
    this.#environment = { SAMPLE_DATA: 'true', ...environment };
  }

  /** `environment` is that of every program. */
  static async begin(environment: Readonly<Record<string, string>> = {}): Promise<Upgrading> {
    return new Upgrading(await externalPostgres(), environment);
  }

  /** Makes a database of its own, and gives its owner's address. */
  async makeDatabase(name: string): Promise<string> {
    const admin = await connected(this.#postgres.adminUrl, { timeZone: 'UTC', max: 1 });
    const url = new URL(this.#postgres.ownerUrl);
    await sql.raw(`create database ${name} owner ${url.username}`).execute(admin);
    await admin.destroy();
    url.pathname = name;
    return url.href;
  }

  /** Starts the program as it was at a commit, lets something be done with it, and kills it. */
  async livePast<T>(commit: string, url: string, live: (past: Program) => Promise<T>): Promise<T> {
    const folder = await this.#programs.layOut(commit);
    const past = await startProgram(
      { ...this.#environment, DATABASE_URL: url, DATA_DIR: join(folder, 'data') },
      [process.execPath, 'server/main.ts'],
      folder,
    );
    try {
      return await live(past);
    } finally {
      await past.end('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  }

  /** Starts the newest program on a database. */
  startNewest(url: string): Promise<Program> {
    const server = Object.assign(new URL(this.#postgres.url), { pathname: new URL(url).pathname });
    return startProgram({ ...this.#environment, DATABASE_URL: server.href, DATABASE_OWNER_URL: url });
  }

  async end(): Promise<void> {
    this.#programs.remove();
    await this.#postgres.remove();
  }
}

/** Looks at a database as its owner. */
export async function look<T>(url: string, at: (db: Db) => Promise<T>): Promise<T> {
  const db = await connected(url, { timeZone: 'Asia/Shanghai', max: 2, patient: true });
  try {
    return await at(db);
  } finally {
    await db.destroy();
  }
}
