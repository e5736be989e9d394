import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBettors, buildPhase, buildSlips, builtLine } from '#server/testing/build-slips.ts';
import { inZone } from '#server/testing/in-zone.ts';
import { aheadAtNoon, midnightIn, zonePutBackAt } from '#server/testing/put-forward.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { problemsOfLosses } from '../bets-proof/loss-proof.ts';
import { refusalOfDeposit } from './deposit-check.ts';
import { playerLimits, setLimit } from './limit-store.ts';

// Clocks that are put back from one o'clock to midnight show midnight twice: the day begins with the first.
const ahead = aheadAtNoon();
const HALF_HOUR_MS = 1_800_000;
const between = (daysAgo = 0) => new Date(midnightIn(ahead, daysAgo).getTime() - HALF_HOUR_MS);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function buildPayer(
  ...paid: readonly (readonly [amount: string, time: Date | string])[]
): Promise<number> {
  const [userId = 0] = await buildBettors(database.db, 1);
  for (const [amount, time] of paid)
    await sql`
      insert into deposit ("userId", amount, "bankOrderNo", type, "createTime")
      values (${userId}, ${amount}, gen_random_uuid()::text, 'BANK_TRANSFER', ${time})`.execute(database.db);
  return userId;
}

it('what was paid in between two midnights counts towards the limit of the day', async () => {
  const userId = await buildPayer(['40', between()], ['7', new Date(between().getTime() - 2 * HALF_HOUR_MS)]);
  await inZone(database, zonePutBackAt(midnightIn(ahead), ahead), async (db) => {
    const limit = await db
      .transaction()
      .execute((tx) => setLimit(tx, { userId, kind: 'DEPOSIT', period: 'DAY', amount: '100' }));
    expect(limit).toMatchObject({ used: '40.00', left: '60.00' });
    expect(await refusalOfDeposit(db, userId, '60')).toBeUndefined();
    expect((await refusalOfDeposit(db, userId, '60.01'))?.message).toContain('今日还可充值 60.00');
  });
});

it.each([
  // The first of a month.
  ['America/Havana', '2026-11-01T04:30Z', '2026-11-01T17:00Z', '2026-10-31T17:00Z', 'DAY'],
  ['America/Havana', '2026-11-01T04:30Z', '2026-11-01T04:40Z', '2026-11-01T03:50Z', 'DAY'],
  ['America/Havana', '2026-11-01T04:30Z', '2026-11-20T17:00Z', '2026-10-31T17:00Z', 'MONTH'],
  ['Atlantic/Azores', '2026-10-25T00:30Z', '2026-10-25T12:00Z', '2026-10-24T12:00Z', 'DAY'],
  // Midnight is skipped: the day begins at one, with the moment that ends the day before.
  ['Africa/Cairo', '2026-04-23T22:00Z', '2026-04-24T12:00Z', '2026-04-23T21:59:59Z', 'DAY'],
  ['Asia/Beirut', '2026-03-28T22:00Z', '2026-03-29T12:00Z', '2026-03-28T21:59:59Z', 'DAY'],
  // The hour before midnight comes twice, and is of the day before both times.
  ['Africa/Cairo', '2026-10-29T20:30Z', '2026-10-29T21:30Z', '2026-10-29T22:00Z', 'DAY'],
  ['America/Asuncion', '2023-10-01T04:00Z', '2023-10-01T12:00Z', '2023-10-01T03:59:59Z', 'DAY'],
  ['America/Asuncion', '2023-10-01T04:00Z', '2023-10-20T12:00Z', '2023-09-20T12:00Z', 'MONTH'],
] as const)(
  'in %s a deposit of %s counts with what is paid at %s, and not at %s, by a limit of a %s',
  async (zone, paid, within, apart, period) => {
    const userId = await buildPayer(['40', paid]);
    const used = await inZone(database, zone, async (db) => {
      const { rows } = await sql<{ used: string }>`
        select deposits_used(${userId}, ${period}, at) as used
        from unnest(${[within, apart]}::timestamptz[]) with ordinality as t (at, n) order by n`.execute(db);
      return rows.map((row) => row.used);
    });
    expect(used).toEqual(['40', '0']);
  },
);

it('losses of the first hour of the period are counted when a limit is set, and by the proof', async () => {
  const wall = new Date(Date.now() + ahead * 2 * HALF_HOUR_MS);
  const [ofMonth, ofWeek] = [wall.getUTCDate() - 1, (wall.getUTCDay() + 6) % 7];
  const [daysAgo, period] = ofMonth > ofWeek ? ([ofMonth, 'MONTH'] as const) : ([ofWeek, 'WEEK'] as const);
  const phase = await buildPhase(database.db);
  await sql`
    update draw_plan set "startTime" = ${between(daysAgo)}, "endTime" = ${between(daysAgo)}::timestamptz + interval '5 minutes'
    where "gameId" = ${phase.gameId}`.execute(database.owner);
  const [userId = 0] = await buildBettors(database.db, 1);
  await buildSlips(database.db, phase, [{ userId, lines: [builtLine('first', '9', '10')] }]);
  await inZone(database, zonePutBackAt(midnightIn(ahead, daysAgo), ahead), async (db) => {
    await db.transaction().execute((tx) => setLimit(tx, { userId, kind: 'LOSS', period, amount: '100' }));
    expect(await playerLimits(db, userId)).toMatchObject([{ used: '10.00', left: '90.00' }]);
    expect(await problemsOfLosses(db)).toEqual([]);
  });
});
