import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { given } from '#server/testing/given.ts';
import { inZone } from '#server/testing/in-zone.ts';
import { zonePutBackAt, zonePutForwardAt } from '#server/testing/put-forward.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const monthAgo = new Date(Date.now() - 30 * 86_400_000);

// What may be gone at one moment may be gone at each later one: by days of the calendar it went back an hour where clocks did.
it.each([
  ['put forward', zonePutForwardAt(monthAgo)],
  ['put back', zonePutBackAt(monthAgo)],
])('change records are kept for so many times 24 hours, where clocks were %s meanwhile', async (_, zone) => {
  await sql`update param_setting set value = '90' where key = 'retention.changeRecordDays'`.execute(
    database.db,
  );
  const { hours } = await inZone(database, zone, async (db) => {
    const { rows } = await sql<{ hours: number }>`
      select (extract(epoch from now() - change_records_kept_since()) / 3600)::float8 as hours`.execute(db);
    return given(rows[0]);
  });
  expect(hours).toBe(90 * 24);
});
