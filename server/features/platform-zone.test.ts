import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { keepTimeZone } from './platform-zone.ts';

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
