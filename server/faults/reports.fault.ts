import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proveReport } from '#server/features/bets-proof/report-proof.ts';
import { bruteReport } from '#server/testing/brute-report.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { reportActs, tryReports } from '#server/testing/report-acts.ts';
import { movedByLedger, toldByReport } from '#server/testing/report-and-ledger.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A debt that is written off: what a bet of the first game won is taken out, and the result corrected. Dice hardly ever fall so. */
const owed = [
  { act: 'place', dice: 63 },
  { act: 'decide', dice: 453 },
  ...[0, 1, 2, 3].map((dice) => ({ act: 'drain', dice }) as const),
  { act: 'decide', dice: 493 },
  { act: 'writeOff', dice: 0 },
] as const;

const RUNS = Number(process.env.REPORT_RUNS ?? 40);

it('reports of many worlds are what single lines come to, by every grouping and filter', {
  timeout: 3_600_000,
}, async () => {
  const { db } = database;
  const { rows } = await sql<{ dayStart: string }>`
    select to_char(now() + interval '12 hours', 'HH24:00') as "dayStart"`.execute(db);
  const days = { timeZone: 'Asia/Shanghai', dayStart: rows[0]?.dayStart ?? '' };
  await sql`update param_setting set value = ${days.dayStart} where key = 'report.dayStart'`.execute(db);
  const model = bruteReport(days);
  let daysBack = 1;
  await fc.assert(
    fc.asyncProperty(reportActs, async (acts) => {
      await tryReports(db, acts, daysBack, model);
      daysBack += 7;
    }),
    { seed: randomSeed, numRuns: RUNS, endOnFailure: true, examples: [[[...owed]]] },
  );
  const counted = await sql<{ kind: string; n: number }>`
    select kind, count(*) as n from report_entry group by 1 union all select 'CLOSED', count(*) from report_closed_day
    union all select status, count(*) from slip_line group by 1 union all select 'TEST', count(*) from slip where "testAccount" order by 1`.execute(
    db,
  );
  console.log(`${RUNS} worlds: ${counted.rows.map(({ kind, n }) => `${kind} ${n}`).join(', ')}`);
  expect(counted.rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['CANCELLED', 'CLOSED', 'MOVED', 'REBATE', 'TEST', 'VOID', 'WRITTEN_OFF']),
  );
  expect(await proveReport(db)).toEqual([]);
  expect(await toldByReport(db)).toEqual(await movedByLedger(db));
});
