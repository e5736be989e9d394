import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDeposits } from '#server/features/deposits/deposit-store.ts';
import { pageWithdrawals } from '#server/features/withdrawals/withdrawal-store.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { foldCounts } from './counted-list.ts';
import type { Db } from './database.ts';
import type { Page } from './reading.ts';
import { valuesOf } from './written.ts';

/** Few enough for the database to rather read them all than look up a tenth as many rows as there are orders. */
const PLAYERS = 1_000;
const ORDERS = 30_000;
const pages = { deposit: pageDeposits, withdrawal: pageWithdrawals } as const;

/** How often statements of lists were planned for the values of one call, in this session. */
async function plannedSoFar(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(custom_plans), 0)::int as n from pg_prepared_statements where statement ~ 'list_count|counted'`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

describe('a page of orders', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    const { db, owner } = database;
    await sql`insert into player ("nickName") select 'p' || g from generate_series(1, ${PLAYERS}::int) g`.execute(
      db,
    );
    await sql`insert into account ("userId") select id from player on conflict do nothing`.execute(db);
    const { rows } = await sql<{ first: number }>`select min(id) as first from player`.execute(db);
    const user = sql`${rows[0]?.first}::bigint + n % ${PLAYERS}::int`;
    await sql`insert into deposit ("userId", amount, "bankOrderNo", type, status, "reviewTime", "successTime")
      select ${user}, 100, 'D' || n, 'THIRD_PARTY', 'SUCCESS', now(), now() from generate_series(1, ${ORDERS}::int) n`.execute(
      db,
    );
    await sql`insert into withdrawal ("userId", amount, "receiveAccountNo", status)
      select ${user}, 100, '6222', 'PROCESSING' from generate_series(1, ${ORDERS}::int) n`.execute(db);
    await foldCounts(db);
    // As autovacuum does for a table that has grown: without it a plan would be a guess.
    await sql`analyze`.execute(owner);
  });
  afterAll(() => database.drop());

  it.each([
    ['deposit', { currentPage: ORDERS / 40 }],
    ['deposit', { currentPage: 1, status: 'SUCCESS' }],
    ['deposit', { currentPage: ORDERS / 40, status: 'SUCCESS' }],
    ['withdrawal', { currentPage: ORDERS / 40 }],
    ['withdrawal', { currentPage: 1, status: 'PROCESSING' }],
    ['withdrawal', { currentPage: ORDERS / 40, status: 'PROCESSING' }],
  ] as const)(
    'of %s %j looks at the players of its rows, however many others there are',
    async (table, asked) => {
      const read = await rowsRead(database.db, ['player', 'account'], async (tx) => {
        const page = valuesOf<Page<object>>(await pages[table](tx, { pageSize: 20, ...asked }));
        expect(page.data).toHaveLength(20);
        expect(page.totalCount).toBe(ORDERS);
      });
      expect(read).toBeLessThan(200);
    },
  );

  it.each([
    ['deposit', {}],
    ['deposit', { status: 'SUCCESS' }],
    ['deposit', { sort: '-amount' }],
    ['withdrawal', {}],
    ['withdrawal', { status: 'PROCESSING' }],
    ['withdrawal', { sort: 'createTime' }],
  ] as const)('near the beginning of %s %j is not planned anew at each call', (table, asked) =>
    database.db.transaction().execute(async (tx) => {
      const turnPages = async () => {
        for (const currentPage of [1, 2, 7, 20, 50])
          await pages[table](tx, { pageSize: 20, ...asked, currentPage });
      };
      // PostgreSQL plans the first five calls of a statement before it may keep a plan.
      for (let call = 0; call < 5; call++) await turnPages();
      const before = await plannedSoFar(tx);
      await turnPages();
      expect((await plannedSoFar(tx)) - before).toBe(0);
    }),
  );
});
