import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { compiledOnce, type RowsOf } from './compiled-once.ts';
import { copyOf } from './driver/copy-out.ts';
import { asMoment, asText } from './written.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await sql`insert into player ("nickName") select 'p' || n from generate_series(1, 9) n`.execute(
    database.db,
  );
});
afterAll(() => database.drop());

it('what is compiled once is built once, and answers for its parts of each call, wherever they stand', async () => {
  let built = 0;
  const shown = compiledOnce((db, page: RowsOf<'player'>, mark: RawBuilder<string>) => {
    built++;
    return db
      .selectFrom(page.as('p'))
      .select(['p.nickName', sql<string>`${mark} || 'x' || ${mark}`.as('marked')])
      .orderBy('p.id', 'desc');
  });
  const of = async (name: string, mark: string) => {
    const page = sql<never>`(select * from player where "nickName" = any(${[name, 'p1']}::text[]))`;
    return (await shown(database.db, page, sql`${mark}::text`).execute(database.db)).rows;
  };
  expect(await of('p3', 'a')).toEqual([
    { nickName: 'p3', marked: 'axa' },
    { nickName: 'p1', marked: 'axa' },
  ]);
  expect(await of('p7', "'b'")).toEqual([
    { nickName: 'p7', marked: "'b'x'b'" },
    { nickName: 'p1', marked: "'b'x'b'" },
  ]);
  expect(built).toBe(1);
});

it('a value that would be kept from the first call is refused', () => {
  const shown = compiledOnce((db) => db.selectFrom('player').select('id').where('id', '=', 7));
  expect(() => shown(database.db)).toThrow('a value stands in what is compiled once');
});

it('COPY takes amounts and moments as they are, also within what is compiled once', () => {
  const shown = compiledOnce((db, page: RowsOf<'deposit'>) =>
    db
      .selectFrom(page.as('o'))
      .select([asText('o.amount').as('amount'), asMoment('o.createTime').as('createTime')]),
  );
  const rows = shown(database.db, sql`(select * from deposit)`).compile(database.db);
  expect(rows.sql).toContain(
    '"o"."amount"::text as "amount", left("o"."createTime"::text, 19) as "createTime"',
  );
  expect(copyOf(rows)).toBe(
    `copy ((select "o"."amount" as "amount", "o"."createTime" as "createTime" from (select * from deposit) as "o")) to stdout (null '')`,
  );
});
