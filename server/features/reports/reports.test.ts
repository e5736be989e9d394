import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemsIn, proveReport } from '#server/features/bets-proof/report-proof.ts';
import { addDays } from '#server/platform-days.ts';
import { bruteReport } from '#server/testing/brute-report.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { reportActs, tryReports } from '#server/testing/report-acts.ts';
import { movedByLedger, toldByReport } from '#server/testing/report-and-ledger.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { closeDay, countRebates } from './closed-days.ts';
import { foldReport } from './fold-report.ts';
import { pageReport } from './report-store.ts';

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
  expect(await proveReport(db)).toEqual([]);
  // The ledger, which knows nothing of reports, moved just that for each player.
  const moved = await movedByLedger(db);
  expect(moved).not.toEqual({});
  expect(await toldByReport(db)).toEqual(moved);
}, 60_000);

it('the proof of bets finds whatever is not counted as it was', async () => {
  const { db } = database;
  await foldReport(db);
  /** Undone afterwards, so that each is found by itself. */
  const found = async (damage: string): Promise<string[]> => {
    const undo = new Error('undone');
    let problems: string[] = [];
    const tried = db.transaction().execute(async (tx) => {
      await sql.raw(damage).execute(tx);
      problems = await problemsIn(tx);
      throw undo;
    });
    await expect(tried).rejects.toBe(undo);
    return problems;
  };
  const some = (column: string, level: number) =>
    `update report_player set ${column} = ${column} + 0.0001 where ctid = (select ctid from report_player where level = ${level} limit 1)`;
  expect(await found(some('payout', 2))).toContainEqual(expect.stringContaining('的计数与注单不符：用户'));
  expect(await found(some('unsettled', 0))).toContainEqual(expect.stringContaining('的计数与注单不符：用户'));
  expect(
    await found(
      `update report_sum set players = players + 1 where ctid = (select ctid from report_sum limit 1)`,
    ),
  ).toEqual([expect.stringContaining('的合计与各用户不符：代理')]);
  expect(
    await found(`update report_return set n = n + 1 where ctid = (select ctid from report_return limit 1)`),
  ).toEqual([expect.stringContaining('投注人数')]);
});

it('refuses slips whose lines are not there yet, since they would count nowhere', async () => {
  const placed = sql`
    insert into slip ("bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", "testAccount", "contentHash", "createTime")
    select 'early', "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", false, "contentHash", "createTime" from slip limit 1`;
  await expect(placed.execute(database.db)).rejects.toThrow('slips come with their lines or after them');
});

it('a day is closed once, when it is over, by whoever waits until nobody counts on it any more', async () => {
  const { db } = database;
  const { rows } = await sql<{ today: string }>`select report_day(clock_timestamp())::text as today`.execute(
    db,
  );
  const today = rows[0]?.today ?? '';
  const close = (day: string) => db.transaction().execute((tx) => closeDay(tx, day));
  await expect(close(today)).rejects.toThrow(`${today} 尚未结束，不能关账`);
  const [over, next] = [addDays(today, -400), addDays(today, -399)];
  await close(over);
  await expect(close(over)).rejects.toThrow(`${over} 已经关账`);

  // Somebody counts on the next day, and has not committed: closing waits, and has it.
  const rebate = { userId: 1, gameId: null, playWayId: null, agents: [], amount: '1.25' };
  const counting = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = db.transaction().execute(async (tx) => {
    await countRebates(tx, next, [rebate]);
    held.resolve();
    await counting.promise;
  });
  await held.promise;
  const closing = close(next);
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
            db,
          )
        ).rows.length,
    )
    .toBeGreaterThan(0);
  counting.resolve();
  await Promise.all([first, closing]);
  const closed = await db
    .selectFrom('report_closed_day')
    .select('day')
    .where('day', 'in', [over, next])
    .orderBy('day')
    .execute();
  expect(closed.map(({ day }) => day)).toEqual([over, next]);
  const rebateOn = async (day: string) =>
    (await pageReport(db, { groupBy: 'DAY', currentPage: 1, pageSize: 20, range: [day, day] })).totals.rebate;
  expect(await rebateOn(next)).toBe('1.25');
  // What comes later counts on the day it is done, also where days begin so much later now that today is one that was closed.
  const before = Number(await rebateOn(today));
  await db.transaction().execute((tx) => countRebates(tx, next, [rebate]));
  expect(await rebateOn(next)).toBe('1.25');
  expect(Number(await rebateOn(today)) - before).toBeCloseTo(1.25, 4);
});

it('days that begin later leave closed days as they are: what would come to them counts on the next', async () => {
  const { db, drop } = await testDatabase();
  const day = async () =>
    (await sql<{ day: string }>`select report_day(clock_timestamp())::text as day`.execute(db)).rows[0]
      ?.day ?? '';
  // Days begin at this very hour: yesterday has just ended, and is closed.
  const begin = (hours: number) =>
    sql`update param_setting set value = to_char(now() + make_interval(hours => ${hours}), 'HH24:00') where key = 'report.dayStart'`.execute(
      db,
    );
  await begin(0);
  const today = await day();
  const yesterday = addDays(today, -1);
  await db.transaction().execute((tx) => closeDay(tx, yesterday));
  await begin(1);
  const rebate = { userId: 1, gameId: null, playWayId: null, agents: [], amount: '2' };
  await db.transaction().execute((tx) => countRebates(tx, yesterday, [rebate]));
  const { data } = await pageReport(db, { groupBy: 'DAY', currentPage: 1, pageSize: 20 });
  expect(data.map(({ key, rebate: paid }) => [key, paid])).toEqual([[today, '2.00']]);
  await drop();
});
