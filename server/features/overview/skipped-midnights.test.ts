import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inZone } from '#server/testing/in-zone.ts';
import { aheadAtNoon, midnightIn, zonePutForwardAt } from '#server/testing/put-forward.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { dayFigures } from './day-figures.ts';
import { readMoment } from './overview-store.ts';
import { readSpans, spanBoundsAt } from './spans.ts';

// In Santiago, Beirut or Cairo clocks go from midnight to one o'clock when they are put forward: that day begins at one.
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('a day whose midnight is skipped is asked for from its first second to its last', async () => {
  const ahead = aheadAtNoon();
  const { time, today } = await inZone(database, zonePutForwardAt(midnightIn(ahead), ahead), readMoment);
  const day = time.slice(0, 10);
  expect(today).toEqual([`${day} 00:00:00`, `${day} 23:59:59`]);
});

it('the day before it is told from its own midnight on', async () => {
  const { rows } = await inZone(database, 'America/Santiago', (db) =>
    sql`select * from (${spanBoundsAt(sql`'2027-09-05 12:30:00'::timestamptz`)}) as b`.execute(db),
  );
  expect(rows[0]).toMatchObject({
    ...{ today: '2027-09-05 01:00:00', yesterday: '2027-09-04 00:00:00' },
    ...{ yesterdayEnd: '2027-09-04 12:30:00', month: '2027-09-01 00:00:00' },
  });
});

it.each([0, 1, 14, 29, 30])(
  'thirty days end with today where a midnight was skipped %d days ago',
  async (ago) => {
    const ahead = aheadAtNoon();
    const { days, today } = await inZone(
      database,
      zonePutForwardAt(midnightIn(ahead, ago), ahead),
      async (db) => ({
        days: (await dayFigures(db, await readSpans(db))).map(({ day }) => day),
        today: (await readMoment(db)).time.slice(0, 10),
      }),
    );
    expect(days).toHaveLength(30);
    expect(new Set(days).size).toBe(30);
    expect(days.at(-1)).toBe(today);
  },
);
