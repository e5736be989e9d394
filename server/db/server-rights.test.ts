import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { prepareAsOwner } from './prepare-schema.ts';

let database: TestDatabase;
let server: Db;
let owner: Db;
let admin: Db;
beforeAll(async () => {
  database = await testDatabase();
  ({ db: server, owner } = database);
  const url = new URL(inject('adminUrl'));
  url.pathname = new URL(database.url).pathname;
  admin = connect(url.href, { timeZone: 'UTC', max: 1 });
});
afterAll(async () => {
  await admin.destroy();
  await database.drop();
});

const denied = { code: '42501' };
const role = () => sql.ref(new URL(database.url).username);

/** Tables whose rows are written once, whatever guards them. */
const written = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select distinct relname as name from pg_trigger t join pg_class c on c.oid = tgrelid
    where tgfoid = 'refuse_change'::regproc and tgtype & 8 <> 0 and tgtype & 16 <> 0 order by 1`.execute(
    owner,
  );
  return rows.map(({ name }) => name);
};

describe('the role of the server', () => {
  it('owns nothing, and can become nobody who does', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where pg_has_role(current_user, relowner, 'MEMBER')
      union all select proname from pg_proc where pg_has_role(current_user, proowner, 'MEMBER')
      union all select nspname from pg_namespace where pg_has_role(current_user, nspowner, 'MEMBER')
      union all select datname from pg_database where pg_has_role(current_user, datdba, 'MEMBER')`.execute(
      server,
    );
    expect(rows).toEqual([]);
  });

  it('changes no row that is written once, and no guard of it', async () => {
    const tables = await written();
    expect(tables).toEqual(
      expect.arrayContaining(['account_history', 'account_debt', 'slip_settlement', 'draw_correction']),
    );
    for (const table of [...tables, 'change_record']) {
      const name = sql.table(table);
      for (const attempt of [
        sql`delete from ${name}`,
        sql`truncate ${name}`,
        sql`alter table ${name} disable trigger user`,
        sql`alter table ${name} disable trigger ${sql.id(`${table}_append_only`)}`,
        sql`drop trigger ${sql.id(`${table}_append_only`)} on ${name}`,
        sql`alter table ${name} owner to current_user`,
        sql`create trigger mine before insert on ${name} for each row execute function refuse_change()`,
        sql`drop table ${name} cascade`,
        sql`grant all on ${name} to current_user`,
      ]) {
        const tried = attempt.execute(server);
        // A grant by one who has nothing to give is only warned of.
        await (attempt.compile(server).sql.startsWith('grant')
          ? tried.catch(() => {})
          : expect(tried).rejects.toMatchObject(denied));
      }
      const { rows } = await sql<{ column: string }>`
        select column_name as column from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'
          and identity_generation is distinct from 'ALWAYS'`.execute(owner);
      for (const { column } of rows)
        await expect(
          sql`update ${name} set ${sql.id(column)} = ${sql.id(column)}`.execute(server),
        ).rejects.toMatchObject(denied);
    }
  });

  it.each([
    ['drop table player cascade'],
    ['truncate player cascade'],
    ['delete from slip'],
    ['alter table slip disable trigger all'],
    ['alter table draw_record disable trigger user'],
    ['drop schema public cascade'],
    ['create table mine (n integer)'],
    [
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    ],
    ['alter function refuse_change() rename to harmless'],
    ['create function record_send(text) returns bytea language sql as $$ select null::bytea $$'],
    ['set session_replication_role = replica'],
    ['set role back_office'],
    ['update schema_migration set checksum = checksum'],
    ['insert into schema_migration values (1, 2)'],
    ["copy player to program 'true'"],
    ['drop database postgres'],
    ['create role mine'],
  ])('may not: %s', async (statement) => {
    await expect(sql.raw(statement).execute(server)).rejects.toMatchObject(denied);
  });
});

describe('a start', () => {
  const start = () => prepareAsOwner(owner, server);

  it('changes nothing where all is in order', async () => {
    const acl = async () =>
      (
        await sql`select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`.execute(
          owner,
        )
      ).rows;
    const before = await acl();
    expect(await start()).toEqual({ applied: [], warnings: [] });
    expect(await acl()).toEqual(before);
  });

  it('takes back whatever was granted beyond need, and gives what a restore left out', async () => {
    await sql`grant all on all tables in schema public to ${role()}`.execute(owner);
    await sql`grant update (amount) on account_history to ${role()}`.execute(owner);
    await sql`grant delete on slip to public`.execute(owner);
    await sql`grant create on schema public to public`.execute(admin);
    await sql`revoke all on player, list_delta from ${role()}`.execute(owner);
    await sql`revoke execute on function delete_old_change_records(integer) from ${role()}`.execute(owner);
    await Promise.all([start(), start(), start()]);
    for (const attempt of [
      'update account_history set amount = 1',
      'delete from slip',
      'create table mine (n integer)',
    ])
      await expect(sql.raw(attempt).execute(server)).rejects.toMatchObject(denied);
    await sql`select from player, delete_old_change_records(1)`.execute(server);
    await sql`vacuum list_delta`.execute(server);
  });

  it('refuses a role that still owns something, with a sentence that says what to do', async () => {
    await sql`alter table news owner to ${role()}`.execute(admin);
    await expect(start()).rejects.toThrow(/仍拥有数据库里的 \d+ 项（.*news.*移交所有权/);
    const to = sql.ref(new URL(database.ownerUrl).username);
    await sql`reassign owned by ${role()} to ${to}`.execute(admin);
    await start();
    await sql`grant ${to} to ${role()}`.execute(admin);
    await expect(start()).rejects.toThrow(/能变成它们的所有者/);
    await sql`revoke ${to} from ${role()}`.execute(admin);
    await start();
  });

  it('refuses rights that cannot be taken back', async () => {
    await sql`grant delete on account_history to ${role()} with grant option`.execute(admin);
    await start();
    await sql`grant pg_write_all_data to ${role()}`.execute(admin);
    await expect(start()).rejects.toThrow(/权限不对，而且改不过来/);
    await sql`revoke pg_write_all_data from ${role()}`.execute(admin);
    await start();
  });

  it('without the owner works on a database that is up to date, and says what is missing on another', async () => {
    expect(await prepareAsOwner(server, server)).toEqual({ applied: [], warnings: [] });
    const empty = await testDatabase({ empty: true });
    const alone = connect(empty.url, { timeZone: 'UTC', max: 1 });
    await expect(prepareAsOwner(alone, alone)).rejects.toThrow(
      'DATABASE_URL 的角色没有权限升级数据库；请用环境变量 DATABASE_OWNER_URL 给出数据库所有者的地址',
    );
    await alone.destroy();
    await empty.drop();
  });

  it('with one role says in a sentence what is lost', async () => {
    const { warnings } = await prepareAsOwner(owner, owner);
    expect(warnings).toEqual([
      expect.stringMatching(/共用一个数据库角色.*停用保护触发器.*DATABASE_OWNER_URL/),
    ]);
  });
});
