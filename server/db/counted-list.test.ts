import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dice } from '#server/features/sample-data/dice.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import {
  type CountedList,
  type CountedPart,
  countRows,
  foldCounts,
  locate,
  locateByTime,
} from './counted-list.ts';
import { cut } from './cut.ts';
import { connect, type Db } from './database.ts';
import { orderBy } from './list-order.ts';
import { countedPage } from './page.ts';
import { sweepFolded } from './sweep-folded.ts';
import { within } from './where.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ledger: CountedList = {
  table: 'account_history',
  ofKeys: (keys) => (keys ? sql`"changeType" = any(${keys}::text[])` : sql`true`),
};
/** Rows written straight into the table, far more than one block holds, with gaps in their ids, three of them greater than the largest blocks. */
const fill = (rows: number) => sql`
  insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", hash, "createTime")
  overriding system value
  select g * 3 + g / 25000 * 9000000, (select min("userId") from account), g, 0, 1, 1, 'IN', (array['WIN', 'REBATE', 'RETURN'])[1 + g % 3], '',
    '2026-02-20 07:00:00+08'::timestamptz + g * interval '100 seconds'
  from generate_series(1, ${rows}::int) g`;

type Range = readonly [string, string];

const { between } = dice(randomSeed);
const moment = () => {
  const at = new Date(Date.parse('2026-02-18T00:00:00Z') + between(0, 84 * 86_400) * 1_000);
  return at.toISOString().slice(0, 19).replace('T', ' ');
};
const someRange = (): Range => {
  const [from = '', to = ''] = [moment(), moment()].sort();
  return [from, to];
};

const ranges: readonly Range[] = [
  ['2026-03-01 00:00:00', '2026-03-31 23:59:59'],
  // Within a second, within the smallest block, at the edges of blocks of 2^10 and 2^15 seconds.
  ['2026-03-05 06:41:40', '2026-03-05 06:41:40'],
  ['2026-03-05 06:00:00', '2026-03-05 06:09:00'],
  ['2026-03-05 06:00:00', '2026-03-05 06:40:00'],
  ['1970-01-01 00:00:00', '2099-12-31 23:59:59'],
  ...Array.from({ length: 12 }, someRange),
];

const idsOf = async (db: Db, { keys, range }: CountedPart): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from account_history
    where (${keys ?? null}::text[] is null or "changeType" = any(${keys ?? null}::text[]))
      and (${range?.[0] ?? null}::text is null or ("createTime" >= ${range?.[0] ?? null}::timestamptz
        and "createTime" < ${range?.[1] ?? null}::timestamptz + interval '1 second'))
    order by id desc`.execute(db);
  return rows.map(({ id }) => id);
};

/** Counts and places agree with the ids that a scan finds. */
async function expectAgreement(db: Db, part: CountedPart): Promise<void> {
  const ids = await idsOf(db, part);
  if (!part.range) expect(await countRows(db, ledger, part)).toBe(ids.length);
  for (const offset of [0, 1, 511, 512, 5_000, Math.floor(ids.length / 2), ids.length - 1]) {
    const { totalCount, place } = await locate(db, ledger, part, Math.max(0, offset));
    const at = ids.filter((id) => id <= (place?.bound ?? 0))[place?.skip ?? -1];
    const seen = JSON.stringify({ part, offset, place });
    expect(totalCount, seen).toBe(ids.length);
    expect(at, seen).toBe(ids[Math.max(0, offset)]);
    expect(place?.skip ?? 0).toBeLessThan(512);
  }
  expect((await locate(db, ledger, part, ids.length)).place).toBeUndefined();
}

/** Places in the order of time agree with the moments that a scan finds. */
async function expectTimes(db: Db, keys: string[] | undefined): Promise<void> {
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from "createTime")::bigint as at from account_history
    where ${keys ?? null}::text[] is null or "changeType" = any(${keys ?? null}::text[]) order by "createTime"`.execute(
    db,
  );
  const times = rows.map(({ at }) => at);
  for (const offset of [0, 1, 777, Math.floor(times.length / 2), times.length - 1]) {
    const place = await locateByTime(db, ledger, { keys }, offset);
    const from = times.findIndex((at) => at >= (place?.since ?? Number.POSITIVE_INFINITY));
    expect(from + (place?.skip ?? 0), JSON.stringify({ keys, offset, place })).toBe(offset);
    // A block of the finest time holds so many of these rows and no more.
    expect(place?.skip).toBeLessThan(12);
  }
  expect(await locateByTime(db, ledger, { keys }, times.length)).toBeUndefined();
}

/** A page deep in the order of time is what a scan cuts out, within a range too. */
async function expectPages(db: Db, part: CountedPart): Promise<void> {
  const { keys, range } = part;
  const conditions = [
    ledger.ofKeys?.(keys) ?? sql<SqlBool>`true`,
    range ? within(range, 'createTime') : sql<SqlBool>`true`,
  ];
  const inOrder = (sort: string) =>
    db
      .selectFrom('account_history')
      .select('id')
      .where(sql.join<SqlBool>(conditions, sql` and `))
      .orderBy(orderBy(sort))
      .execute();
  const [all, byAmount] = [await inOrder('createTime'), await inOrder('-amount')];
  const down = all.toReversed();
  for (const [sort, whole] of [
    ['createTime', all],
    ['-createTime', down],
    ['id', undefined],
    ['-amount', byAmount],
  ] as const) {
    const pageSize = 7;
    for (const currentPage of [200, Math.ceil(all.length / 14), Math.ceil(all.length / pageSize)]) {
      if (currentPage === 0) continue;
      const { data, totalCount } = await countedPage(
        db,
        ledger,
        part,
        { currentPage, pageSize, sort },
        (_, start) =>
          cut('account_history', sql<SqlBool>`(${sql.join(conditions, sql` and `)})`, start, {
            columns: sql`id`,
          }),
      );
      const from = (currentPage - 1) * pageSize;
      const seen = JSON.stringify({ part, sort, currentPage });
      expect(totalCount, seen).toBe(all.length);
      const wanted = whole ?? all.toSorted((one, other) => one.id - other.id);
      expect(data, seen).toEqual(wanted.slice(from, from + pageSize));
    }
  }
}

describe('counts and places of a long list', () => {
  it('agree with a scan at every depth, across blocks of time and ids and gaps, before and after folding', async () => {
    const { db } = database;
    await buildUser(db);
    await fill(60_000).execute(db);
    const keys = [undefined, ['REBATE'], ['WIN', 'RETURN']];
    const parts = keys.flatMap((some) => [undefined, ...ranges].map((range) => ({ keys: some, range })));
    for (const part of parts.slice(0, 8)) await expectAgreement(db, part);
    expect(await foldCounts(db)).toBeGreaterThan(0);
    for (const part of parts) await expectAgreement(db, part);
    expect(await foldCounts(db)).toBe(0);
  });

  it('tell how many rows a whole list has by one row, and one of each key that is asked for', async () => {
    const { db } = database;
    const read = (part: CountedPart) => rowsRead(db, ['list_count'], (tx) => countRows(tx, ledger, part));
    const { rows } = await sql<{ blocks: number }>`
      select count(distinct id >> 16)::int as blocks from account_history`.execute(db);
    expect(given(rows[0]).blocks).toBeGreaterThan(2);
    expect(await read({})).toBe(1);
    expect(await read({ keys: ['REBATE'] })).toBe(1);
    expect(await read({ keys: ['WIN', 'RETURN'] })).toBe(2);
  });

  it('lead to a page in the middle of a whole list by as many rows as in a short one', async () => {
    const { db } = database;
    // As a list of a hundred million ids has them, counted and not there.
    const lay = (list: string, upTo: number) => sql`
      insert into list_delta select ${list}, '', 2000000, g * 128, 1 from generate_series(1, ${upTo}::int) g`;
    await lay('player', 3_000).execute(db);
    await foldCounts(db);
    const read = (offset: number) =>
      rowsRead(db, ['list_count'], async (tx) => {
        const found = await locate(tx, { table: 'player' }, {}, offset);
        expect(found.totalCount).toBeGreaterThanOrEqual(3_000);
        expect(found.place?.bound).toBe(((3_000 - offset) << 16) + 511);
      });
    for (const offset of [0, 1_500, 2_900]) expect(await read(offset)).toBeLessThan(24 + 128 + 2);
    await sql`insert into list_delta select 'player', '', 2000000, g * 128, -1 from generate_series(1, 3000) g`.execute(
      db,
    );
    await foldCounts(db);
  });

  it('lead to any page by time, both ways round, whatever the ids', async () => {
    const { db } = database;
    // Some rows that are newer by id and older by time.
    await sql`
      insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", hash, "createTime")
      overriding system value
      select 90000000 + g, (select min("userId") from account), 100000 + g, 0, 1, 1, 'IN', 'WIN', '',
        '2026-03-01 00:00:50+08'::timestamptz + g * interval '700 seconds' from generate_series(1, 500) g`.execute(
      db,
    );
    for (const keys of [undefined, ['REBATE'], ['WIN', 'RETURN']]) {
      await expectTimes(db, keys);
      for (const range of [undefined, ...ranges.slice(0, 1), ...ranges.slice(4, 6)])
        await expectPages(db, { keys, range });
      await foldCounts(db);
    }
  });

  it('are the same whatever the platform zone: no block of time knows days', async () => {
    const moved = connect(database.url, { timeZone: 'America/New_York', patient: true });
    // On this day New York moves its clocks: 23 hours and no more.
    const day: Range = ['2026-03-08 00:00:00', '2026-03-08 23:59:59'];
    expect((await locate(moved, ledger, { range: day }, 0)).totalCount).toBe(23 * 36);
    expect((await locate(database.db, ledger, { range: day }, 0)).totalCount).toBe(24 * 36);
    await moved.destroy();
  });

  it('keep nothing of rows that went again', async () => {
    const { db } = database;
    await sql`insert into player ("nickName", "createTime") select 'gone' || g, '2020-01-01'::timestamptz + g * interval '1 day'
      from generate_series(1, 50) g`.execute(db);
    await foldCounts(db);
    await sql`delete from player where "nickName" like 'gone%'`.execute(db);
    await foldCounts(db);
    const { rows } = await sql`select * from list_count where list = 'player' and n = 0`.execute(db);
    expect(rows).toEqual([]);
    expect(await countRows(db, { table: 'player' }, {})).toBe(1);
  });
});

describe('sweeping what was folded', () => {
  it('waits for nobody who has the table', async () => {
    const { db } = database;
    await db.transaction().execute(async (tx) => {
      await sql`lock table list_delta in share update exclusive mode`.execute(tx);
      const began = performance.now();
      await sweepFolded(db, 'list_delta');
      expect(performance.now() - began).toBeLessThan(2_000);
    });
  });

  it('keeps the table’s length: writers and the readers of a replica would have to wait for its end to be given back', async () => {
    const { db } = database;
    const pages = async () => {
      const { rows } = await sql<{ bytes: number }>`select pg_relation_size('list_delta') as bytes`.execute(
        db,
      );
      return rows[0]?.bytes ?? 0;
    };
    // Nor does the database's own sweeper come between.
    await sql`alter table list_delta set (autovacuum_enabled = off)`.execute(database.owner);
    await sweepFolded(db, 'list_delta');
    await sql`insert into list_delta select 'account_history', '', 1, g, 1 from generate_series(1, 10000) g`.execute(
      db,
    );
    await sql`delete from list_delta where list = 'account_history'`.execute(db);
    const before = await pages();
    await sweepFolded(db, 'list_delta');
    expect(await pages()).toBe(before);
    // What was swept is used again, and only what a burst left is given back: every list reads the whole table.
    await sql`insert into list_delta select 'account_history', '', 1, g, 1 from generate_series(1, 5000) g`.execute(
      db,
    );
    expect(await pages()).toBe(before);
    await sql`insert into list_delta select 'account_history', '', 1, g, 1 from generate_series(1, 90000) g`.execute(
      db,
    );
    await sweepFolded(db, 'list_delta');
    const long = await pages();
    expect(long).toBeGreaterThan(before);
    await sql`delete from list_delta where list = 'account_history'`.execute(db);
    await sweepFolded(db, 'list_delta');
    expect(await pages()).toBeLessThan(before);
  });
});
