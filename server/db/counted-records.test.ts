import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#server/features/change-records/change-record-store.ts';
import {
  deleteOldLoginRecords,
  pageLoginRecords,
} from '#server/features/login-records/login-record-store.ts';
import { pageOutboxMails } from '#server/features/mail/outbox-store.ts';
import { type Dice, dice } from '#server/features/sample-data/dice.ts';
import { given } from '#server/testing/given.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { filesAfter, landings, lay } from '#server/testing/past-database.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { countRows, foldCounts, locate } from './counted-list.ts';
import type { Db } from './database.ts';
import { migrate, migrateTo } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import type { Page } from './reading.ts';
import { valuesOf } from './written.ts';

/** The lists of what happened, and the page of each. */
const pages = {
  change_record: pageChangeRecords,
  login_record: pageLoginRecords,
  mail_outbox: pageOutboxMails,
} as const;
type Table = keyof typeof pages;
const tables = Object.keys(pages) as Table[];

/** So many rows of so many days ago, a second between each two. */
const adding = (table: Table, rows: number, outcome: string, daysAgo: number) => {
  const from = sql`from generate_series(1, ${rows}::int) n,
    lateral (select now() - make_interval(days => ${daysAgo}::int) - n * interval '1 second' as at) as t`;
  const texts: Record<Table, RawBuilder<unknown>> = {
    change_record: sql`insert into change_record ("createTime", "userName", call, summary, input, address, outcome)
      select at, 'u', 'c', 's', '{}', 'a', ${outcome} ${from}`,
    login_record: sql`insert into login_record ("createTime", "userName", address, outcome, msg)
      select at, 'u', 'a', ${outcome === 'SUCCESS' ? outcome : 'REJECTED'}, 'm' ${from}`,
    mail_outbox: sql`insert into mail_outbox (template, "to", status, "createTime", "nextTime")
      select 'login', 'a@example.com', case when n % 3 = 0 then 'PENDING' else 'SENT' end, at, at ${from}`,
  };
  return texts[table];
};

const removing = (db: Db, table: Table, most: number): Promise<unknown> => {
  if (table === 'change_record') return sql`select delete_old_change_records(${most})`.execute(db);
  if (table === 'login_record') return deleteOldLoginRecords(db, most);
  return sql`delete from mail_outbox where id in (
    select id from mail_outbox where "createTime" < now() - interval '90 days' order by id limit ${most} for update skip locked)`.execute(
    db,
  );
};

/** What is kept of each list is what a scan of the same snapshot finds. */
const expectExact = (db: Db): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for (const table of tables) {
        const { rows } = await sql<{ n: number; failed: number }>`
          select count(*)::int as n, count(*) filter (where ${table === 'mail_outbox' ? sql`false` : sql`outcome <> 'SUCCESS'`})::int as failed
          from ${sql.table(table)}`.execute(tx);
        const keys = ['REFUSED', 'FAULT', 'DENIED', 'PREPARED', 'REJECTED', 'LOCKED', 'HELD'];
        const kept = {
          n: await countRows(tx, { table }, {}),
          failed: await countRows(tx, { table }, { keys }),
        };
        expect(kept, table).toEqual(rows[0]);
      }
    });

/** The days that the change record and the log of sign-ins are kept. */
const keep = (db: Db) =>
  sql`
  insert into param_setting (title, key, value) values ('保留', 'retention.changeRecordDays', '90'), ('保留', 'retention.loginRecordDays', '90')
  on conflict (key) do update set value = excluded.value`.execute(db);

describe('totals of records', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await keep(database.owner);
  });
  afterAll(() => database.drop());

  it('are exact whatever is written, undone, sent, deleted and folded at once', async () => {
    const { db } = database;
    const seeds = dice(randomSeed);
    async function act({ between, pick, chance }: Dice): Promise<void> {
      const table = pick(['change_record', 'login_record', 'mail_outbox'] as const);
      const kind = between(0, 9);
      if (kind === 0) await foldCounts(db);
      else if (kind < 3) await removing(db, table, between(1, 900));
      else if (kind === 3)
        await sql`update mail_outbox set status = 'SENT', "nextTime" = null where id in (
          select id from mail_outbox where status = 'PENDING' order by id limit 5 for update skip locked)`.execute(
          db,
        );
      else {
        const outcome = pick(['SUCCESS', 'REFUSED', 'FAULT'] as const);
        const undone = new Error('undone');
        await db
          .transaction()
          .execute(async (tx) => {
            for (const daysAgo of [pick([0, 100] as const), pick([0, 300] as const)])
              await adding(table, between(1, 700), outcome, daysAgo).execute(tx);
            if (chance(0.3)) throw undone;
          })
          .catch((error: unknown) => {
            if (error !== undone) throw error;
          });
      }
    }
    const acts = Array.from({ length: 120 }, () => seeds.between(1, 1_000_000));
    await inParallel(
      acts.map((seed, at) => () => (at % 6 === 0 ? expectExact(db) : act(dice(seed)))),
      5,
    );
    await expectExact(db);
    await foldCounts(db);
    await expectExact(db);
  });

  it('are kept by writers that do not wait for one another, nor for who folds', async () => {
    const { db } = database;
    const unwaiting = (work: (tx: Db) => Promise<void>) =>
      db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '1s'`.execute(tx);
        await work(tx);
      });
    await unwaiting(async (one) => {
      for (const table of tables) await adding(table, 3, 'SUCCESS', 0).execute(one);
      await unwaiting(async (other) => {
        for (const table of tables) await adding(table, 3, 'SUCCESS', 0).execute(other);
        await foldCounts(other);
        await unwaiting(async (third) => {
          for (const table of tables) await adding(table, 3, 'SUCCESS', 0).execute(third);
        });
      });
    });
    await expectExact(db);
  });

  it.each(tables)('of %s cost as many rows as are shown, at any depth and in a range', async (table) => {
    const { db } = database;
    await adding(table, 30_000, 'SUCCESS', 1).execute(db);
    await foldCounts(db);
    // As autovacuum does for a table that has grown: without it a plan would be a guess.
    await sql`analyze ${sql.table(table)}`.execute(database.owner);
    const { rows } = await sql<{ from: string; to: string }>`
      select left((now() - interval '1 day 5 hours')::text, 19) as from, left((now() - interval '1 day 2 hours')::text, 19) as to`.execute(
      db,
    );
    const { from, to } = given(rows[0]);
    const middle = Math.floor((await countRows(db, { table }, {})) / 40);
    for (const asked of [
      { currentPage: 1 },
      { currentPage: middle },
      { currentPage: 1, createTimeRange: [from, to] as [string, string] },
    ]) {
      const read = await rowsRead(db, [table], async (tx) => {
        const page = valuesOf<Page<object>>(await pages[table](tx, { pageSize: 20, ...asked }));
        expect(page.data).toHaveLength(20);
        if (asked.createTimeRange)
          expect(page.totalCount).toBe((await locate(db, { table }, { range: [from, to] }, 0)).totalCount);
      });
      // Up to a block of ids is jumped over, and the seconds at the ends of a range are counted one by one.
      expect(read, JSON.stringify(asked)).toBeLessThan(5_000);
    }
  });
});

it('what was there before is counted too, while rows come and want to go', async () => {
  const { db, drop } = await testDatabase({ empty: true });
  const folder = new URL('./migrations/', import.meta.url);
  await lay(
    db,
    filesAfter(landings.length).filter(({ name }) => name < '0400'),
  );
  await keep(db);
  const add = async (outcome: string, daysAgo: number) => {
    for (const table of tables) await adding(table, 700, outcome, daysAgo).execute(db);
  };
  await add('SUCCESS', 200);
  await add('FAULT', 0);
  await migrateTo(
    db,
    readMigrations(folder).filter(({ name }) => name < '0401'),
  );
  // The rest is counted later: servers of before go on meanwhile, and so do their cleaners.
  await add('REFUSED', 200);
  for (const table of tables) await removing(db, table, 500);
  await sql`update mail_outbox set status = 'SENT' where status = 'PENDING'`.execute(db);
  await migrate(db);
  await expectExact(db);
  for (const table of tables) {
    await removing(db, table, 500);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
    expect(rows[0]?.n, table).toBe(1_600);
  }
  await expectExact(db);
  await drop();
});
