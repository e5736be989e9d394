import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { demandSetUp, MigrationError, migrate, migrationsCurrent } from './migrate.ts';
import { checksumOf } from './migration-files.ts';

let database: TestDatabase;
let db: Db;
let parent: string;
let folder: string;

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const run = (on = db) => migrate(on, pathToFileURL(`${folder}/`));

beforeEach(async () => {
  database = await testDatabase({ empty: true });
  db = database.db;
  parent = mkdtempSync(join(tmpdir(), 'migrations-'));
  folder = join(parent, 'migrations');
  mkdirSync(folder);
  write('0001-first.sql', 'create table a (n int); create table b (n int);');
  write('0002-second.sql', 'insert into a values (1); insert into b values (2);');
});
afterEach(async () => {
  await database.drop();
  rmSync(parent, { recursive: true });
});

const countOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? -1;
};

test('files are applied in order, and only once', async () => {
  expect(await run()).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await run()).toEqual([]);
  write('0010-third.sql', 'drop table b;');
  expect(await run()).toEqual(['0010-third.sql']);
  expect(await countOf('a')).toBe(1);
});

test('five servers that start together apply each file once', async () => {
  const servers = Array.from({ length: 5 }, () =>
    connect(database.ownerUrl, { timeZone: 'UTC', patient: true }),
  );
  const applied = await Promise.all(servers.map(run));
  await Promise.all(servers.map((server) => server.destroy()));
  expect(applied.flat().sort()).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await countOf('a')).toBe(1);
});

test('a file that fails half way leaves nothing of itself, and what came before it stays', async () => {
  write('0003-broken.sql', 'create table c (n int); select 1/0;');
  await expect(run()).rejects.toThrow(/division by zero/);
  expect(await countOf('a')).toBe(1);
  expect((await sql`select to_regclass('c') as c`.execute(db)).rows).toEqual([{ c: null }]);
  write('0003-broken.sql', 'create table c (n int);');
  expect(await run()).toEqual(['0003-broken.sql']);
});

test('a file changed after it was applied is refused; other line ends are no change', async () => {
  write('0001-first.sql', 'create table a (n int);\ncreate table b (n int);\n');
  await run();
  write('0001-first.sql', 'create table a (n int);\r\ncreate table b (n int);\r\n');
  expect(await run()).toEqual([]);
  write('0001-first.sql', 'create table a (n bigint);');
  await expect(run()).rejects.toThrow(/0001-first\.sql 在应用之后被改动/);
});

test('a database that a newer program has migrated is refused', async () => {
  await run();
  rmSync(join(folder, '0002-second.sql'));
  await expect(run()).rejects.toThrow(/更新的程序升级过（0002-second\.sql）/);
});

test('a file numbered before one that was applied is refused', async () => {
  rmSync(join(folder, '0001-first.sql'));
  write('0002-second.sql', 'select 1;');
  await run();
  write('0001-late.sql', 'select 1;');
  await expect(run()).rejects.toThrow(/0001-late\.sql 的编号早于/);
});

const landed = (...texts: readonly (readonly [name: string, text: string])[]) =>
  write('landed.txt', texts.map(([name, text]) => `${checksumOf(text)}  ${name}\n`).join(''));

test('a file that is known to have landed after one of a higher number follows it; any other does not', async () => {
  rmSync(join(folder, '0001-first.sql'));
  write('0002-second.sql', 'create table b (n int);');
  await run();
  write('0001-late.sql', 'create table a (n int);');
  landed(['0001-late.sql', 'create table a (n int);'], ['0002-second.sql', 'create table b (n int);']);
  await expect(run()).rejects.toThrow(/0001-late\.sql 的编号早于/);
  landed(['0002-second.sql', 'create table b (n int);'], ['0001-late.sql', 'create table a (n bigint);']);
  await expect(run()).rejects.toThrow(/0001-late\.sql 的编号早于/);
  landed(['0002-second.sql', 'create table b (n int);'], ['0001-late.sql', 'create table a (n int);']);
  expect(await run()).toEqual(['0001-late.sql']);
});

test('a text of the past that landed is taken back and applied anew; no other change is taken', async () => {
  const [early, late] = ['create table c (n int);', 'create table c (n bigint);'];
  write('0003-third.sql', early);
  await run();
  const prepared = join(parent, 'preparations');
  write('0003-third.sql', late);
  landed(['0003-third.sql', early]);
  await expect(run()).rejects.toThrow(/0003-third\.sql 在应用之后被改动/);
  landed(['0003-third.sql', late]);
  await expect(run()).rejects.toThrow(/0003-third\.sql 在应用之后被改动/);
  landed(['0003-third.sql', early], ['0003-third.sql', late]);
  mkdirSync(prepared);
  writeFileSync(join(prepared, '0003-third.sql'), 'drop table if exists c;');
  expect(await run()).toEqual(['0003-third.sql']);
  expect(
    (await sql`select pg_typeof(n)::text as type from (values (null)) as x left join c on true`.execute(db))
      .rows,
  ).toEqual([{ type: 'bigint' }]);
  expect(await run()).toEqual([]);
});

test('a command is told of a database that no program has set up', async () => {
  const never = await testDatabase({ empty: true });
  await expect(demandSetUp(never.db)).rejects.toThrow(MigrationError);
  await never.drop();
  const made = await testDatabase({ seeded: false });
  await demandSetUp(made.db);
  await made.drop();
});

test('the program knows whether its own migrations are current', async () => {
  await sql`create table schema_migration (name text, checksum text)`.execute(db);
  expect(await migrationsCurrent(db)).toBe(false);
  const seeded = await testDatabase();
  expect(await migrationsCurrent(seeded.db)).toBe(true);
  await seeded.drop();
});
