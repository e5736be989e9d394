import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { added, addedWhereFree, changed, removed, unseen, watched } from './rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

interface Column {
  table: string;
  name: string;
  type: string;
  generated: boolean;
}

/** The columns of all tables that count their changes; a bigint counts those of others, as that of a game's catalogue does. */
async function countedColumns(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as name, c.data_type as type, c.is_generated = 'ALWAYS' as generated
    from information_schema.columns c join information_schema.columns v using (table_schema, table_name)
    where v.column_name = 'version' and v.data_type = 'integer' and table_schema = current_schema()`.execute(
    database.db,
  );
  return rows;
}

describe('rows that count their changes', () => {
  it('do so by a trigger that leaves out what is not noted, and what is generated', async () => {
    const columns = await countedColumns();
    const { rows } = await sql<{ table: string; args: string }>`
      select t.tgrelid::regclass::text as "table", encode(t.tgargs, 'escape') as args
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'grow_version'`.execute(
      database.db,
    );
    const tables = new Set(columns.map(({ table }) => table));
    expect(tables.size).toBe(22);
    expect(new Set(rows.map(({ table }) => table))).toEqual(tables);
    for (const { table, args } of rows) {
      const generated = columns.filter((one) => one.table === table && one.generated).map(({ name }) => name);
      const left = args.split('\\000').filter((name) => name !== '');
      expect(new Set(left), table).toEqual(new Set([...(unseen[table] ?? []), ...generated]));
    }
  });

  it('have no secret that is noted', async () => {
    const isSecret = ({ name, type }: Column) => type === 'bytea' || /hash|secret|password$/i.test(name);
    const secrets = (await countedColumns()).filter(isSecret);
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(({ table, name }) => !unseen[table]?.includes(name))).toEqual([]);
  });

  it('grow by one with each change of what operators see, by no other write, and not as somebody says', async () => {
    const { db } = database;
    const { id } = await added(db, 'operator', { userName: 'counted', passwordHash: 'x' });
    const versionAfter = async (set: string) => {
      await sql`update operator set ${sql.raw(set)} where id = ${id}`.execute(db);
      const { rows } = await sql<{ version: number }>`select version from operator where id = ${id}`.execute(
        db,
      );
      return rows[0]?.version;
    };
    expect(await versionAfter(`"userName" = 'renamed'`)).toBe(2);
    expect(await versionAfter(`"userName" = 'renamed', "editDate" = now()`)).toBe(2);
    expect(await versionAfter(`"passwordHash" = 'y', "googleSteps" = '{1}', "editDate" = now()`)).toBe(2);
    expect(await versionAfter(`version = 77`)).toBe(2);
    expect(await versionAfter(`version = 77, "userName" = 'again'`)).toBe(3);
  });
});

describe('what becomes of rows', () => {
  it('is noted for the transaction it happens in, once for each row, from first to last', async () => {
    const { db } = database;
    const other = await added(db, 'news_category', { name: '没有人记' });
    await db.transaction().execute(async (tx) => {
      const notes = watched(tx);
      const { id } = await added(tx, 'news_category', { name: '甲' });
      await changed(tx, 'news_category', { id }, { name: '乙' });
      await changed(tx, 'news_category', other, ({ name }) => ({ name: `${name}了` }));
      await removed(tx, 'news_category', other.id);
      expect(notes).toEqual([
        {
          table: 'news_category',
          id,
          before: undefined,
          after: { id, name: '乙', version: 2 },
          given: ['name'],
        },
        { table: 'news_category', id: other.id, before: other, after: undefined, given: ['name'] },
      ]);
    });
  });

  it('leaves out secrets', async () => {
    await database.db.transaction().execute(async (tx) => {
      const notes = watched(tx);
      const { id } = await added(tx, 'operator', { userName: 'unseen', passwordHash: 'canary' });
      await changed(tx, 'operator', { id }, { googleSecret: Buffer.from('canary') });
      const told = ['id', 'userName', 'userNo', 'email', 'disabled', 'passwordTemporary'];
      expect(Object.keys(notes[0]?.after ?? {}).sort()).toEqual(
        [...told, 'version', 'createDate', 'editDate'].sort(),
      );
    });
  });

  it('is refused on a row that is gone, and on one in another version, which is told', async () => {
    const { db } = database;
    const { id } = await added(db, 'news_category', { name: '将改' });
    await changed(db, 'news_category', { id, version: 1 }, { name: '已改' });
    await expect(changed(db, 'news_category', { id, version: 1 }, { name: '迟到' })).rejects.toMatchObject({
      failure: 'stale',
      current: { id, name: '已改', version: 2 },
    });
    await removed(db, 'news_category', id);
    const gone = { failure: 'recordNotFound' };
    await expect(changed(db, 'news_category', { id, version: 2 }, { name: '无' })).rejects.toMatchObject(
      gone,
    );
    await expect(removed(db, 'news_category', id)).rejects.toMatchObject(gone);
  });

  it('adds many rows at once but for those that others are in the way of', async () => {
    const { db } = database;
    await added(db, 'news_category', { name: '已有' });
    const made = await addedWhereFree(db, 'news_category', [{ name: '已有' }, { name: '新的' }]);
    expect(made.map(({ name }) => name)).toEqual(['新的']);
  });
});
