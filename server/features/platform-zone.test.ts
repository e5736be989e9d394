import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#server/db/database.ts';
import { addDays, dayOf } from '#server/platform-days.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { keepTimeZone, tellOtherRules } from './platform-zone.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the zone of the first start is kept, and a server with another is refused with both names', async () => {
  const { db } = database;
  const starts = await Promise.allSettled(['Asia/Tokyo', 'Asia/Seoul'].map((zone) => keepTimeZone(db, zone)));
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const kept = starts[0]?.status === 'fulfilled' ? 'Asia/Tokyo' : 'Asia/Seoul';
  await keepTimeZone(db, kept);
  await expect(keepTimeZone(db, 'America/New_York')).rejects.toThrow(
    new RegExp(`PLATFORM_TIME_ZONE 是 America/New_York.*平台时区是 ${kept}.*请改回 ${kept}`),
  );
});

test('other names of the same zone are no other zone', async () => {
  const { db, drop } = await testDatabase();
  await keepTimeZone(db, 'PRC');
  await keepTimeZone(db, 'Asia/Shanghai');
  await keepTimeZone(db, 'Asia/Chongqing');
  await drop();
});

/** What is told where the database goes by one zone's rules, and the program by another's. */
async function toldOf(ofDatabase: string, ofProgram: string): Promise<string | undefined> {
  const db = connect(database.url, { timeZone: ofDatabase, max: 1 });
  try {
    return await tellOtherRules(db, ofProgram);
  } finally {
    await db.destroy();
  }
}

test.each(['Asia/Shanghai', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Santiago'])(
  'a database that has the same rules of %s is not spoken of',
  async (zone) => {
    expect(await toldOf(zone, zone)).toBeUndefined();
  },
);

test('a database with other rules of the zone is told of, from the day on which the clocks part', async () => {
  expect(await toldOf('Asia/Tokyo', 'Asia/Shanghai')).toMatch(
    /^时区数据不一致：按 Asia\/Shanghai，\d{4}-\d\d-\d\d 数据库的钟点比程序快 60 分钟。/,
  );
  // Clocks that are put on and back in other months than New York's.
  const today = dayOf(Date.now() / 1_000, 'America/New_York');
  const told = (await toldOf('EST5EDT,M2.1.0,M12.1.0', 'America/New_York')) ?? '';
  expect(told).toContain('比程序快 60 分钟');
  const [day = ''] = /\d{4}-\d\d-\d\d/.exec(told) ?? [];
  expect(day >= today && day <= addDays(today, 366)).toBe(true);
});
