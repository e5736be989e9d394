import { sql } from 'kysely';
import { type Config, type Environment, loadConfig } from '#server/config.ts';
import { connect } from '#server/db/database.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';

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

/** The database given, that of an embedded server that is running, or the embedded one started for this. */
export async function openDatabase({
  databaseUrl,
  dataDir,
}: Config): Promise<{ url: string; close: () => Promise<void> }> {
  const close = async () => {};
  if (databaseUrl) return { url: databaseUrl, close };
  const running = embeddedUrl(dataDir);
  if (running && (await answers(running))) return { url: running, close };
  const postgres = await startEmbeddedPostgres({ dataDir, onEvent: console.error });
  return { url: postgres.url, close: () => postgres.stop() };
}
