import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { secureAppendOnly } from './append-only.ts';
import { connect, type Db } from './database.ts';

let database: TestDatabase;
let db: Db;
let admin: Db;
beforeEach(async () => {
  database = await testDatabase();
  db = database.owner;
  const url = new URL(inject('adminUrl'));
  url.pathname = new URL(database.url).pathname;
  admin = connect(url.href, { timeZone: 'UTC', max: 1 });
});
afterEach(async () => {
  await admin.destroy();
  await database.drop();
});

const role = () => sql.ref(new URL(database.ownerUrl).username);
const rightsOf = async (): Promise<unknown> => {
  const { rows } = await sql`
    select relname, bool_or(has_table_privilege(c.oid, p)) as may from pg_class c, unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) as p
    where relname in ('account_history', 'change_record') group by 1 order by 1`.execute(db);
  return rows;
};
const NONE = [
  { relname: 'account_history', may: false },
  { relname: 'change_record', may: false },
];

test('a database as migrated needs nothing', async () => {
  expect(await rightsOf()).toEqual(NONE);
  expect(await secureAppendOnly(db)).toEqual([]);
});

test.each([
  'grant all on all tables in schema public to',
  'grant update (amount) on account_history to',
  'grant delete on change_record to public; grant truncate on account_history to',
])('takes back rights that were given: %s the role', async (grant) => {
  await sql`${sql.raw(grant)} ${role()}`.execute(admin);
  const starts = await Promise.all([secureAppendOnly(db), secureAppendOnly(db), secureAppendOnly(db)]);
  expect(starts.flat()).toEqual([]);
  expect(await rightsOf()).toEqual(NONE);
  const columns = sql`select has_any_column_privilege('account_history', 'UPDATE') as may`;
  expect((await columns.execute(db)).rows).toEqual([{ may: false }]);
});

test('a right that another gave and that cannot be taken back is refused', async () => {
  await sql`alter table change_record owner to postgres`.execute(admin);
  await sql`grant select, insert, delete on change_record to ${role()}`.execute(admin);
  await expect(secureAppendOnly(db)).rejects.toThrow('可以修改或删除 change_record');
});

test('a table without its guard is refused', async () => {
  await sql`alter table account_history disable trigger account_history_append_only`.execute(db);
  await expect(secureAppendOnly(db)).rejects.toThrow('account_history 的保护触发器');
});

test('a superuser is told that nothing protects from it', async () => {
  expect(await secureAppendOnly(admin)).toEqual([expect.stringContaining('超级用户')]);
});
