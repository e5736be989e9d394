import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { spanBoundsAt } from './spans.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it.each([
  ['2027-03-28 10:00:00', '2027-02-28 10:00:00'],
  // Days that the month before has not got: all of it is over by then.
  ['2027-03-29 00:00:00', '2027-03-01 00:00:00'],
  ['2027-03-31 23:59:59', '2027-03-01 00:00:00'],
  ['2028-03-29 10:00:00', '2028-02-29 10:00:00'],
  ['2028-03-30 10:00:00', '2028-03-01 00:00:00'],
  ['2027-05-31 10:00:00', '2027-05-01 00:00:00'],
  ['2027-01-31 10:00:00', '2026-12-31 10:00:00'],
])('at %s the month before is told up to %s', async (now, end) => {
  const { rows } = await sql<{ month: string; lastMonth: string; lastMonthEnd: string }>`
    select month, "lastMonth", "lastMonthEnd" from (${spanBoundsAt(sql`${now}::timestamptz`)}) as b`.execute(
    database.db,
  );
  expect(rows[0]).toMatchObject({ month: `${now.slice(0, 8)}01 00:00:00`, lastMonthEnd: end });
});
