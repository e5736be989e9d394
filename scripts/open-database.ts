import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Config, type Environment, loadConfig } from '#server/config.ts';
import { ConfigError } from '#server/config-error.ts';
import { connect, type Db } from '#server/db/database.ts';
import { demandCurrent, demandSetUp } from '#server/db/migrate.ts';
import {
  type EmbeddedPostgres,
  embeddedUrl,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { whenInterrupted } from './interrupted.ts';

/** The environment of a command that opens no secret: it needs no APP_SECRET, and must not leave a new one behind. */
export const configWithoutSecret = (env: Environment): Config =>
  loadConfig({ ...env, APP_SECRET: env.APP_SECRET || Buffer.alloc(32).toString('base64') });

const answers = async (url: string): Promise<boolean> => {
  const db = connect(url, { timeZone: 'UTC', max: 1, patient: true });
  const answered = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return answered.finally(() => db.destroy());
};

/** Starts the embedded PostgreSQL for a command, and stops it with the command, also where that is interrupted: it would go on by itself. */
export async function startForCommand(dataDir: string): Promise<EmbeddedPostgres> {
  const starting = startEmbeddedPostgres({ dataDir, onEvent: console.error });
  const forget = whenInterrupted(() => starting.then((postgres) => postgres.stop()));
  const postgres = await starting;
  return { ...postgres, stop: () => postgres.stop().finally(forget) };
}

interface Opened {
  url: string;
  close: () => Promise<void>;
}

async function reach({ databaseUrl, dataDir }: Config): Promise<Opened> {
  const close = async () => {};
  if (databaseUrl) return { url: databaseUrl, close };
  // A command that reads must not leave a new, empty one where the folder's name was mistaken.
  if (!existsSync(join(dataDir, 'postgres')))
    throw new ConfigError(
      `${dataDir} 里没有内置数据库；请用环境变量 DATA_DIR 指出它的目录，或用 DATABASE_URL 给出外部数据库`,
    );
  const running = embeddedUrl(dataDir);
  if (running && (await answers(running))) return { url: running, close };
  const postgres = await startForCommand(dataDir);
  return { url: postgres.url, close: () => postgres.stop() };
}

/**
 * The database given, that of an embedded server that is running, or the embedded one started for this. Throws `ConfigError` where none is,
 * `MigrationError` where it is empty.
 */
export async function openDatabase(config: Config): Promise<Opened> {
  const opened = await reach(config);
  const db = connect(opened.url, { timeZone: 'UTC', max: 1, patient: true });
  try {
    await demandSetUp(db).finally(() => db.destroy());
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * Does a command's work over that database, by connections that bear its name, and closes them and what was opened for it however the work ends.
 * `patient` is for what reads for minutes.
 */
export async function withDatabase<T>(
  config: Config,
  { max = 1, ...options }: { applicationName: string; max?: number; patient?: boolean },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { url, close } = await openDatabase(config);
  const db = connect(url, { timeZone: config.timeZone, max, ...options });
  try {
    await demandCurrent(db);
    return await work(db);
  } finally {
    await db.destroy();
    await close();
  }
}
