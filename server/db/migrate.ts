import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from './database.ts';

declare module './database.ts' {
  interface Tables {
    schema_migration: { name: string; checksum: string };
  }
}

interface Migration {
  /** `NNNN-name.sql`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The database and the program do not fit each other; the message is a Chinese sentence. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Any constant no other program uses: servers that start together take turns by it. */
const LOCK = 7_206_914_033;

function readMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name) => {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`not a migration's name: ${name}`);
    const text = readFileSync(new URL(name, folder), 'utf8');
    // A checkout may turn line ends into CRLF.
    const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
    return { name, text, checksum };
  });
}

const ours = new URL('./migrations/', import.meta.url);

type Applied = readonly { name: string; checksum: string }[];

/** What is still to be applied, in order; throws when what was applied is not what the files say. */
function pendingOf(migrations: readonly Migration[], applied: Applied): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  for (const name of checksums.keys()) {
    if (!migrations.some((migration) => migration.name === name))
      throw new MigrationError(`数据库已由更新的程序升级过（${name}），请使用同一版本或更新的程序`);
  }
  const pending = migrations.filter(({ name }) => !checksums.has(name));
  for (const { name, checksum } of migrations) {
    if (checksums.has(name) && checksums.get(name) !== checksum)
      throw new MigrationError(`迁移文件 ${name} 在应用之后被改动，请恢复原文件，用新的迁移修改数据库`);
    const skipped = pending.find((earlier) => earlier.name < name);
    if (checksums.has(name) && skipped)
      throw new MigrationError(`迁移文件 ${skipped.name} 的编号早于已应用的 ${name}，请给它更大的编号`);
  }
  return pending;
}

const listApplied = (db: Db): Promise<Applied> =>
  db.selectFrom('schema_migration').select(['name', 'checksum']).orderBy('name').execute();

async function tableExists(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('schema_migration') is not null as there`.execute(db);
  return rows[0]?.there === true;
}

/** Applies the first pending migration, if any, and tells its name. The lock lives in the same transaction as the work, so it holds through a transaction pooler too. */
function applyNext(db: Db, migrations: readonly Migration[]): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    // Said here as well: a pooler may have dropped what the connection asked for.
    await sql`set local statement_timeout = 0; set local lock_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
    await sql`create table if not exists schema_migration (
      name text primary key, checksum text not null, "applyTime" timestamptz not null default now())`.execute(
      tx,
    );
    const [next] = pendingOf(migrations, await listApplied(tx));
    if (!next) return undefined;
    await sql.raw(next.text).execute(tx);
    await tx.insertInto('schema_migration').values({ name: next.name, checksum: next.checksum }).execute();
    return next.name;
  });
}

/**
 * Brings the database up to date: each file in a transaction of its own, in order, once, however many servers start
 * together. `db` should be patient (see `connect`). Returns the names applied. Throws `MigrationError`.
 */
export async function migrate(db: Db, folder = ours): Promise<string[]> {
  const migrations = readMigrations(folder);
  if ((await tableExists(db)) && pendingOf(migrations, await listApplied(db)).length === 0) return [];
  const applied: string[] = [];
  for (let name = await applyNext(db, migrations); name; name = await applyNext(db, migrations))
    applied.push(name);
  return applied;
}

let wanted: string | undefined;

/** Whether every migration of this program has been applied; newer ones do no harm. For /readyz. */
export async function migrationsCurrent(db: Db): Promise<boolean> {
  wanted ??= readMigrations(ours).at(-1)?.name ?? '';
  const { rows } = await sql<{ last: string | null }>`select max(name) as last from schema_migration`.execute(
    db,
  );
  return (rows[0]?.last ?? '') >= wanted;
}
