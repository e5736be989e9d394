import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildGame } from '#server/testing/build-game.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { inZone } from '#server/testing/in-zone.ts';
import { aheadAtNoon, midnightIn, zonePutBackAt } from '#server/testing/put-forward.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { dayFigures } from './day-figures.ts';
import { planFigures } from './draw-figures.ts';
import { orderFigures, userFigures } from './money-figures.ts';
import { readMoment } from './overview-store.ts';
import { readSpans, spanBoundsAt } from './spans.ts';

// In Havana and on the Azores clocks go from one o'clock back to midnight: that day begins with the first of the two.
const ahead = aheadAtNoon();
const HALF_HOUR_MS = 1_800_000;
/** Half an hour after the first of the two midnights of a day: the second comes half an hour later. */
const halfPast = (daysAgo = 0) => new Date(midnightIn(ahead, daysAgo).getTime() - HALF_HOUR_MS);
const halfBefore = (daysAgo = 0) => new Date(halfPast(daysAgo).getTime() - 2 * HALF_HOUR_MS);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function pay(amount: string, time: Date): Promise<void> {
  const [userId] = await buildBettors(database.db, 1);
  await sql`update player set "createTime" = ${time} where id = ${userId}`.execute(database.db);
  await sql`
    insert into deposit ("userId", amount, "bankOrderNo", type, status, "createTime", "reviewTime", "successTime")
    values (${userId}, ${amount}, gen_random_uuid()::text, 'THIRD_PARTY', 'SUCCESS', ${time}, ${time}, ${time})`.execute(
    database.db,
  );
}

it('what comes between the two midnights is of today, in figures and in the list that they lead to', async () => {
  await pay('40', halfPast());
  await pay('7', halfBefore());
  const zone = zonePutBackAt(midnightIn(ahead), ahead);
  const seen = await inZone(database, zone, async (db) => ({
    deposits: await orderFigures(db, 'deposit', await readSpans(db)),
    players: await userFigures(db, await readSpans(db)),
    moment: await readMoment(db),
  }));
  expect(seen.deposits).toMatchObject({ today: { count: 1, amount: '40.00' }, yesterday: { count: 0 } });
  expect(seen.players).toMatchObject({ today: 1, yesterday: 0 });
  const day = seen.moment.time.slice(0, 10);
  expect(seen.moment.today).toEqual([`${day} 00:00:00`, `${day} 23:59:59`]);
});

it('the first of thirty days has its first hour too', async () => {
  await pay('3', halfPast(29));
  await pay('5', halfBefore(29));
  const zone = zonePutBackAt(midnightIn(ahead, 29), ahead);
  const days = await inZone(database, zone, async (db) => dayFigures(db, await readSpans(db)));
  expect(days[0]).toMatchObject({ deposits: '3.00', players: 1 });
});

it('a phase between the midnights of tomorrow is none of today', async () => {
  const gameId = await buildGame(database.db, { phase: '1', status: false });
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status) values
      (${gameId}, '1', ${halfBefore(-1)}, ${halfBefore(-1)}::timestamptz + interval '5 minutes', 'WAITTING'),
      (${gameId}, '2', ${halfPast(-1)}, ${halfPast(-1)}::timestamptz + interval '5 minutes', 'WAITTING')`.execute(
    database.db,
  );
  const zone = zonePutBackAt(midnightIn(ahead, -1), ahead);
  const plans = await inZone(database, zone, async (db) =>
    planFigures(db, { now: new Date(), timeZone: 'UTC' }, await readSpans(db)),
  );
  expect(plans.upcoming).toBe(1);
});

it.each([
  // The first of a month.
  ['America/Havana', '2026-11-01T17:00Z', { today: '2026-11-01T04:00Z', month: '2026-11-01T04:00Z' }],
  [
    'America/Havana',
    '2026-11-02T17:00Z',
    { yesterday: '2026-11-01T04:00Z', yesterdayEnd: '2026-11-01T17:00Z' },
  ],
  [
    'America/Havana',
    '2026-12-01T17:00Z',
    { lastMonth: '2026-11-01T04:00Z', lastMonthEnd: '2026-11-01T17:00Z' },
  ],
  // Between the two, and the moment of the second.
  ['America/Havana', '2026-11-01T04:10Z', { today: '2026-11-01T04:00Z' }],
  ['America/Havana', '2026-11-01T05:00Z', { today: '2026-11-01T04:00Z' }],
  ['Atlantic/Azores', '2026-10-25T12:00Z', { today: '2026-10-25T00:00Z', yesterday: '2026-10-24T00:00Z' }],
])('spans of %s begin with a first midnight, at %s', async (zone, now, spans) => {
  const names = Object.keys(spans);
  const { rows } = await inZone(database, zone, (db) =>
    sql<Record<string, number>>`
      select ${sql.join(names.map((name) => sql`extract(epoch from ${sql.ref(name)})::float8 as ${sql.ref(name)}`))}
      from (${spanBoundsAt(sql`${now}::timestamptz`)}) as b`.execute(db),
  );
  const told = Object.entries(given(rows[0])).map(([name, at]) => [
    name,
    new Date(at * 1_000).toISOString().replace(':00.000', ''),
  ]);
  expect(Object.fromEntries(told)).toEqual(spans);
});
