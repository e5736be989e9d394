import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bruteReport } from '#server/testing/brute-report.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { reportActs, tryReports } from '#server/testing/report-acts.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('however slips are placed, settled, corrected, voided and days closed, every grouping is what single lines come to', async () => {
  console.log(`reports: seed ${randomSeed}`);
  const { db } = database;
  // Days begin half a day from now, so that none begins while this runs.
  const { rows } = await sql<{ dayStart: string }>`
    select to_char(now() + interval '12 hours', 'HH24:00') as "dayStart"`.execute(db);
  const days = { timeZone: 'Asia/Shanghai', dayStart: rows[0]?.dayStart ?? '' };
  await sql`update param_setting set value = ${days.dayStart} where key = 'report.dayStart'`.execute(db);
  const model = bruteReport(days);
  let daysBack = 1;
  await fc.assert(
    fc.asyncProperty(reportActs, async (acts) => {
      await tryReports(db, acts, daysBack, model, { oneIn: 6 });
      daysBack += 7;
    }),
    { seed: randomSeed, numRuns: 2, endOnFailure: true },
  );
  expect(daysBack).toBe(15);
}, 60_000);
