import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { addDays, dayOf } from '#server/platform-days.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { reportDay, reportDayOfDraw, reportDayStart } from './report-day.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// Santiago skips midnight, on the Azores it comes twice.
const zones = [
  ...['Asia/Shanghai', 'America/New_York', 'Europe/Lisbon', 'Australia/Lord_Howe', 'UTC'],
  ...['America/Santiago', 'Atlantic/Azores'],
];
const at = (text: string) => Math.floor(Date.parse(text) / 1000);

it('a draw at the very beginning of a day ends the day before', () => {
  const midnight = { timeZone: 'Asia/Shanghai', dayStart: '00:00' };
  expect(reportDayOfDraw(at('2026-03-02T00:00:00+08:00'), midnight)).toBe('2026-03-01');
  expect(reportDayOfDraw(at('2026-03-02T00:00:01+08:00'), midnight)).toBe('2026-03-02');
  const six = { timeZone: 'Asia/Shanghai', dayStart: '06:00' };
  expect(reportDayOfDraw(at('2026-03-02T06:00:00+08:00'), six)).toBe('2026-03-01');
  expect(reportDayOfDraw(at('2026-03-02T06:00:01+08:00'), six)).toBe('2026-03-02');
});

it('a day that began stays so though clocks are put back over its beginning', () => {
  const days = { timeZone: 'America/New_York', dayStart: '01:30' };
  // 01:30 came at 05:30 UTC; at 06:10 UTC clocks show 01:10 again.
  expect(reportDay(at('2025-11-02T05:29:59Z'), days)).toBe('2025-11-01');
  expect(reportDay(at('2025-11-02T05:30:00Z'), days)).toBe('2025-11-02');
  expect(reportDay(at('2025-11-02T06:10:00Z'), days)).toBe('2025-11-02');
});

/** Moments of all sorts, and those around clocks being put forward and back. */
const moment = fc.oneof(
  fc.integer({ min: at('1992-01-01Z'), max: at('2035-01-01Z') }),
  ...[
    '2025-03-09T05:00Z',
    '2025-11-02T04:00Z',
    '2025-10-26T00:00Z',
    '2025-04-05T14:00Z',
    '2025-10-04T15:00Z',
    '2025-04-06T00:00Z',
    '2025-09-07T00:00Z',
    '2025-03-29T22:00Z',
  ].map((change) => fc.integer({ min: at(change), max: at(change) + 6 * 3_600 })),
);
const beginning = fc
  .integer({ min: 0, max: 47 })
  .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`);

it.each(zones)(
  'the database tells every day of %s as the server does, and none begins twice',
  async (timeZone) => {
    console.log(`days of the report: seed ${randomSeed}`);
    const own = connect(database.url, { timeZone, max: 1 });
    const tried = fc.sample(fc.record({ seconds: moment, dayStart: beginning }), {
      seed: randomSeed,
      numRuns: 1_000,
    });
    const { rows } = await sql<{ day: string }>`
    select report_day(to_timestamp(s), b::interval)::text as day
    from unnest(${tried.map(({ seconds }) => seconds)}::float8[], ${tried.map(({ dayStart }) => dayStart)}::text[]) with ordinality as t (s, b, n)
    order by n`.execute(own);
    await own.destroy();
    const told = tried.map(({ seconds, dayStart }) => reportDay(seconds, { timeZone, dayStart }));
    const differing = tried.flatMap((each, place) =>
      rows[place]?.day === told[place] ? [] : [{ ...each, server: told[place], database: rows[place]?.day }],
    );
    expect(differing).toEqual([]);
    for (const [place, { seconds, dayStart }] of tried.entries()) {
      const day = told[place] ?? '';
      const days = { timeZone, dayStart };
      expect(reportDayStart(day, days)).toBeLessThanOrEqual(seconds);
      expect(reportDayStart(addDays(day, 1), days)).toBeGreaterThan(seconds);
    }
  },
);

it('the parameter says when days begin, and nonsense in its row says nothing', async () => {
  const { db } = database;
  const dayAt = async (moment: string) =>
    (await sql<{ day: string }>`select report_day(${moment}::timestamptz)::text as day`.execute(db)).rows[0]
      ?.day;
  const begin = (value: string) =>
    sql`update param_setting set value = ${value} where key = 'report.dayStart'`.execute(db);
  expect(await dayAt('2026-03-02 05:59:59')).toBe('2026-03-02');
  await begin('06:00');
  expect(await dayAt('2026-03-02 05:59:59')).toBe('2026-03-01');
  await begin('6 Uhr');
  expect(await dayAt('2026-03-02 05:59:59')).toBe(dayOf(at('2026-03-02T05:59:59+08:00'), 'Asia/Shanghai'));
});
