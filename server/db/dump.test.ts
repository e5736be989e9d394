import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { dump } from './dump.ts';
import { DumpError } from './dump-format.ts';
import { demandCurrent, demandSetUp, MigrationError, migrate, migrateTo } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import { prepareAsOwner } from './prepare-schema.ts';
import { restore } from './restore.ts';

let folder: string;
let file: string;
let source: TestDatabase;
const AWKWARD = '甲\t乙\\.\n\\.\r\n\\N,"quoted"\u2028';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dump-'));
  file = join(folder, 'platform.dump');
  source = await testDatabase();
  const { db } = source;
  await sql`insert into player ("nickName", "realName") select ${AWKWARD}, nullif(n % 2, 0)::text from generate_series(1, 3000) n`.execute(
    db,
  );
  await sql`update player set "parentId" = 1 where id > 2990`.execute(db);
  await sql`insert into account ("userId") select id from player`.execute(db);
  await sql`select post_entries(array_agg(id), array_agg('RECHARGE'::text), array_agg(0.0001 * id), array_agg('first-' || id), array_agg('备注'::text))
    from player where id <= 50`.execute(db);
  await sql`select post_entries(array[60], array['WIN_REVERSAL'], array[7.5], array['B60'], null, array['OWING'])`.execute(
    db,
  );
  await sql`delete from player where id = 2999 and false`.execute(db);
  await dump(source.url, file);
});
afterAll(async () => {
  await source.drop();
  rmSync(folder, { recursive: true });
});

/** What the next start does: gives the server's role its rights. */
async function start(owner: Db, url: string): Promise<void> {
  const server = connect(url, { timeZone: 'UTC', max: 1 });
  await prepareAsOwner(owner, server).finally(() => server.destroy());
}

const textOf = (path: string): string => String(gunzipSync(readFileSync(path)));
/** The dump but for the moment it was made at. */
const contentOf = (path: string): string => textOf(path).replace(/"createTime":"[^"]*"/, '');
const written = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('a dump', () => {
  test('restored is the same database, in rows, schema and what comes next', async () => {
    const { url, ownerUrl, db, drop } = await testDatabase({ empty: true, timeZone: 'America/New_York' });
    const { tables, rows } = await restore(ownerUrl, file);
    expect(tables).toBeGreaterThan(30);
    expect(rows).toBeGreaterThan(6_000);
    const again = join(folder, 'again.dump');
    await dump(ownerUrl, again);
    expect(contentOf(again)).toBe(contentOf(file));
    const server = connect(url, { timeZone: 'UTC', max: 1 });
    await expect(demandSetUp(server), 'what commands say before the first start').rejects.toThrow(
      MigrationError,
    );
    await start(db, url);
    await demandSetUp(server).finally(() => server.destroy());
    expect(await dumpSchema(db)).toEqual(await dumpSchema(source.db));
    const next = sql`insert into player ("nickName") values ('next') returning id`;
    expect((await next.execute(db)).rows).toEqual((await next.execute(source.db)).rows);
    await expect(sql`delete from account_history`.execute(db)).rejects.toMatchObject({ code: '42501' });
    expect(await migrate(db)).toEqual([]);
    await drop();
  });

  test('is readable by its owner only and appears when it is whole', async () => {
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    const behind = await testDatabase({ empty: true });
    await sql`create table schema_migration (name text primary key, checksum text not null)`.execute(
      behind.db,
    );
    await expect(dump(behind.ownerUrl, join(folder, 'behind.dump'))).rejects.toThrow(
      /数据库与本程序的版本不一致/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('behind'))).toEqual([]);
    await behind.drop();
  });

  test.each([
    ['a folder that is not there', () => join(folder, 'nowhere/platform.dump')],
    ['a folder that is a file', () => join(file, 'platform.dump')],
    ['a file that is a folder', () => folder],
  ])('that cannot be written says so: %s', async (_, path) => {
    const refused = expect(dump(source.url, path())).rejects;
    await refused.toThrow(DumpError);
    await refused.toThrow(`无法写入导出文件 ${path()}（`);
    expect(readdirSync(join(folder, '..')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('made twice at once under one name is whole all the same', async () => {
    const [once, twice] = [join(folder, 'once.dump'), join(folder, 'twice.dump')];
    await dump(source.url, once);
    await Promise.all([dump(source.url, twice), dump(source.url, twice)]);
    expect(contentOf(twice)).toBe(contentOf(once));
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('that is interrupted leaves nothing behind', async () => {
    const interrupted = new AbortController();
    const dumping = dump(source.url, join(folder, 'interrupted.dump'), interrupted.signal);
    interrupted.abort();
    await expect(dumping).rejects.toThrow(/已中断/);
    expect(readdirSync(folder).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });

  test('is made before the upgrade too, by the program that is about to make it, for this one and the one before', async () => {
    const earlier = readMigrations(new URL('./migrations/', import.meta.url)).slice(0, -1);
    const before = await testDatabase({ empty: true });
    await migrateTo(before.db, earlier);
    await sql`insert into player ("nickName") values ('early')`.execute(before.db);
    const early = join(folder, 'early.dump');
    await dump(before.ownerUrl, early);
    await expect(demandCurrent(before.db)).rejects.toThrow(/还没有升级/);
    const { url, ownerUrl, db, drop } = await testDatabase({ empty: true });
    await restore(ownerUrl, early);
    expect(await dumpSchema(db)).toEqual(await dumpSchema(before.db));
    await start(db, url);
    await demandCurrent(db);
    expect((await sql`select "nickName" from player`.execute(db)).rows).toEqual([{ nickName: 'early' }]);
    await drop();
    await before.drop();
  });

  test('of an earlier program is restored as it was and brought up to date afterwards', async () => {
    // The program of tomorrow, which has a migration more.
    for (const name of ['migrations', 'preparations'])
      cpSync(new URL(`./${name}/`, import.meta.url), join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'migrations/9999-more.sql'), 'alter table player add column more text;');
    const newer = pathToFileURL(join(folder, 'migrations/'));
    const { url, ownerUrl, db, drop } = await testDatabase({ empty: true });
    await restore(ownerUrl, file, newer);
    await start(db, url);
    expect(await dumpSchema(db)).toEqual(await dumpSchema(source.db));
    expect(await migrate(db, newer)).toEqual(['9999-more.sql']);
    expect((await sql`select more from player limit 1`.execute(db)).rows).toEqual([{ more: null }]);
    await drop();
  });
});

describe('a restore', () => {
  const refused = async (path: string, message: RegExp) => {
    const { ownerUrl, db, drop } = await testDatabase({ empty: true });
    const attempt = restore(ownerUrl, path);
    await expect(attempt).rejects.toThrow(message);
    const tables = await sql`select from pg_tables where schemaname = 'public'`.execute(db);
    expect(tables.rows).toEqual([]);
    await drop();
  };

  test.each([
    ['cut in the middle', () => readFileSync(file).subarray(0, 5_000)],
    ['cut at its end', () => gzipSync(textOf(file).slice(0, -30))],
    ['with a line less', () => gzipSync(textOf(file).replace(/\n[^\n]*"end":true[^\n]*\n$/, '\n'))],
    ['with a changed amount', () => gzipSync(textOf(file).replace('first-7\t', 'first-8\t'))],
    ['with a row less', () => gzipSync(textOf(file).replace(/\n\d+\t[^\n]*first-9\t[^\n]*/, ''))],
    ['with more behind its end', () => gzipSync(`${textOf(file)}{}\n`)],
    ['that is none', () => Buffer.from('PGDMP')],
    ['that is empty', () => Buffer.alloc(0)],
  ])('refuses a file %s, and changes nothing', async (name, content) => {
    await refused(written(`${name}.dump`, content()), /已损坏或不完整/);
  });

  test('refuses a file of a newer program, one that is not there, and one whose migrations it does not know', async () => {
    const newer = gzipSync(textOf(file).replace('"version":1', '"version":2'));
    await refused(written('newer.dump', newer), /更新的程序/);
    await refused(join(folder, 'nowhere.dump'), /无法读取导出文件/);
    const unknown = gzipSync(textOf(file).replace('"0001-access.sql"', '"9001-access.sql"'));
    await refused(written('unknown.dump', unknown), /没有迁移 9001-access\.sql/);
  });

  test('refuses a database in which a program has worked', async () => {
    await expect(restore(source.url, file)).rejects.toThrow(DumpError);
    const { ownerUrl, db, drop } = await testDatabase({ empty: true });
    await sql`create table theirs (n int)`.execute(db);
    await expect(restore(ownerUrl, file)).rejects.toThrow(/只能写入空库/);
    await drop();
  });

  test('that waited for another one does not write over what that has brought', async () => {
    const { ownerUrl, drop } = await testDatabase({ empty: true });
    const both = await Promise.allSettled([restore(ownerUrl, file), restore(ownerUrl, file)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find(({ status }) => status === 'rejected');
    expect(String(refused && 'reason' in refused && refused.reason)).toContain('只能写入空库');
    await drop();
  });

  test('that broke half way is repeated', async () => {
    const { ownerUrl, db, drop } = await testDatabase({ empty: true });
    await migrateTo(db, readMigrations(new URL('./migrations/', import.meta.url)));
    expect((await restore(ownerUrl, file)).rows).toBeGreaterThan(6_000);
    await drop();
  });
});
