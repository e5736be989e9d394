import { sql } from 'kysely';
import type { Db } from './database.ts';
import { type Landing, type Migration, readLandings, readMigrations } from './migration-files.ts';

/** The database and the program do not fit each other; the message is a Chinese sentence. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Any constant no other program uses: servers that start together take turns by it. */
const LOCK = 7_206_914_033;

const ours = new URL('./migrations/', import.meta.url);

type Applied = readonly Landing[];
interface Program {
  readonly migrations: readonly Migration[];
  readonly landings: readonly Landing[];
}

const readProgram = (folder: URL): Program => ({
  migrations: readMigrations(folder),
  landings: readLandings(folder),
});

/** Migrations that were applied with an earlier landed text; their preparations undo it, so that they are applied anew. */
function outdatedOf({ migrations, landings }: Program, applied: Applied): string[] {
  const landed = ({ name, checksum }: Landing): boolean =>
    landings.some((landing) => landing.name === name && landing.checksum === checksum);
  const changed = migrations.filter(({ name, checksum }) =>
    applied.some((one) => one.name === name && one.checksum !== checksum),
  );
  for (const migration of changed) {
    const known = applied.some((one) => one.name === migration.name && landed(one));
    if (!known || !landed(migration))
      throw new MigrationError(
        `迁移文件 ${migration.name} 在应用之后被改动，请恢复原文件，用新的迁移修改数据库`,
      );
  }
  return changed.map(({ name }) => name);
}

/** Whether a file may follow one of a higher number: only where it came to the program later. */
function mayFollow({ landings }: Program, { name, checksum }: Migration, applied: string): boolean {
  const first = landings.findIndex((landing) => landing.name === applied);
  const own = landings.findIndex((landing) => landing.name === name && landing.checksum === checksum);
  return first >= 0 && own > first;
}

/** What is still to be applied, in order; throws when what was applied is not what the files say. */
function pendingOf(program: Program, applied: Applied): Migration[] {
  for (const { name } of applied) {
    if (!program.migrations.some((migration) => migration.name === name))
      throw new MigrationError(`数据库已由更新的程序升级过（${name}），请使用同一版本或更新的程序`);
  }
  const outdated = outdatedOf(program, applied);
  const done = applied.map(({ name }) => name).filter((name) => !outdated.includes(name));
  const pending = program.migrations.filter(({ name }) => !done.includes(name));
  for (const migration of pending) {
    const later = done.find((name) => name > migration.name && !mayFollow(program, migration, name));
    if (later)
      throw new MigrationError(`迁移文件 ${migration.name} 的编号早于已应用的 ${later}，请给它更大的编号`);
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

/** For commands that do not migrate. Throws `MigrationError` when the database was never migrated, or this role has no rights in it. */
export async function demandSetUp(db: Db): Promise<void> {
  if (!(await tableExists(db)))
    throw new MigrationError(
      '数据库是空的（没有本程序的表）；请核对环境变量 DATABASE_URL，新的数据库请先启动一次服务，由它建立',
    );
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('schema_migration', 'select') as may`.execute(db);
  if (!rows[0]?.may)
    throw new MigrationError('服务的角色还没有这个数据库的权限；刚恢复的数据库请先启动一次服务，由它授予');
}

/** For commands that work on rows: they know the tables as this program has them. Throws `MigrationError` where an upgrade is due. */
export async function demandCurrent(db: Db): Promise<void> {
  if (!(await migrationsCurrent(db)))
    throw new MigrationError(
      '数据库还没有升级到本程序的版本；请先用本程序启动一次服务，由它升级，再执行这个命令',
    );
}

/** Applies the first pending migration, if any, and tells its name. The lock lives in the same transaction as the work, so it holds through a transaction pooler too. */
function applyNext(db: Db, program: Program): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    // Said here as well: a pooler may have dropped what the connection asked for.
    await sql`set local statement_timeout = 0; set local lock_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
    await sql`create table if not exists schema_migration (
      name text primary key, checksum text not null, "applyTime" timestamptz not null default now())`.execute(
      tx,
    );
    const [next] = pendingOf(program, await listApplied(tx));
    if (!next) return undefined;
    const { name, text, checksum, preparation } = next;
    if (preparation) await sql.raw(preparation).execute(tx);
    await sql.raw(text).execute(tx);
    await tx
      .insertInto('schema_migration')
      .values({ name, checksum })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ checksum }))
      .execute();
    return name;
  });
}

async function migrateWith(db: Db, program: Program): Promise<string[]> {
  if ((await tableExists(db)) && pendingOf(program, await listApplied(db)).length === 0) return [];
  const applied: string[] = [];
  for (let name = await applyNext(db, program); name; name = await applyNext(db, program)) applied.push(name);
  return applied;
}

/**
 * Brings the database up to date: each file in a transaction of its own, in order, once, however many servers start
 * together. `db` should be patient (see `connect`). Returns the names applied. Throws `MigrationError`.
 */
export const migrate = (db: Db, folder = ours): Promise<string[]> => migrateWith(db, readProgram(folder));

/** The migrations of this program that make the same schema as those that were applied. Throws `MigrationError`. */
function programOf(state: readonly Landing[], folder: URL): Program {
  const program = readProgram(folder);
  const migrations = program.migrations.filter(({ name }) => state.some((one) => one.name === name));
  const unknown = state.find(
    ({ name, checksum }) => !migrations.some((one) => one.name === name && one.checksum === checksum),
  );
  if (unknown) throw new MigrationError(`本程序没有迁移 ${unknown.name}，请使用导出时的版本或更新的程序`);
  return { ...program, migrations };
}

/** Throws `MigrationError` when this program cannot make the schema that these migrations made. */
export function demandKnown(state: readonly Landing[], folder = ours): void {
  programOf(state, folder);
}

/** Makes the schema that these migrations made. Throws `MigrationError`. */
export async function migrateTo(db: Db, state: readonly Landing[], folder = ours): Promise<void> {
  await migrateWith(db, programOf(state, folder));
}

let wanted: readonly Migration[] | undefined;

/**
 * Whether a dump of the schema that these migrations made can be restored: none was applied with a text that was changed since. Those of an
 * earlier program are all known to this one, those of a later one to itself.
 */
export function canBeMadeAgain(applied: readonly Landing[]): boolean {
  wanted ??= readMigrations(ours);
  const own = new Map(wanted.map(({ name, checksum }) => [name, checksum]));
  return (
    applied.length > 0 && applied.every(({ name, checksum }) => (own.get(name) ?? checksum) === checksum)
  );
}

/** Whether every migration of this program has been applied as it is; newer ones do no harm. */
function isCurrent(applied: readonly Landing[]): boolean {
  wanted ??= readMigrations(ours);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return wanted.every(({ name, checksum }) => checksums.get(name) === checksum);
}

/** The same of a database. For /readyz. */
export const migrationsCurrent = async (db: Db): Promise<boolean> => isCurrent(await listApplied(db));
