import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { collectorNamed } from '../spiders/collectors/all.ts';
import { judgeResults, keepResults } from './keep-results.ts';

const ZONE = 'Asia/Shanghai';
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
});
afterAll(() => server.close());

const today = () => dayOf(Date.now() / 1000, ZONE);
const recordsOf = async (gameId: number) =>
  (await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

/** What a source says of one draw in its own format. */
const bodies = {
  WelfareLotterySpider: (code: string, date: string) => ({
    result: [{ code, date, red: '1,2,3', blue: '' }],
  }),
  SportsLotterySpider: (lotteryDrawNum: string, lotteryDrawTime: string) => ({
    value: { list: [{ lotteryDrawNum, lotteryDrawTime, lotteryDrawResult: '1 2 3' }] },
  }),
  OpenCodeSpider: (expect: string, opentime: string) => ({ data: [{ expect, opentime, opencode: '1,2,3' }] }),
};
const read = (name: keyof typeof bodies, phase: string, time: string) =>
  collectorNamed(name)?.read(JSON.stringify(bodies[name](phase, time)), { options: null, timeZone: ZONE }) ??
  [];
/** As a dry run judges it, and as it is kept. */
async function keep(gameId: number, results: ReturnType<typeof read>, now: Date) {
  const judged = await judgeResults(server.db, { gameId, results, now });
  const kept = await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId, source: '甲', results, now }));
  expect(judged).toEqual(kept);
  return kept;
}

describe.each(['WelfareLotterySpider', 'SportsLotterySpider', 'OpenCodeSpider'] as const)(
  'a bare date of %s',
  (name) => {
    it('keeps the draw time of the plan', async () => {
      const gameId = await buildGame(server.db, { openRate: 3600 });
      const day = addDays(today(), 1);
      await admin.call(generateDrawPlans, {
        gameId,
        beginDate: `${day} 20:00:00`,
        endDate: `${day} 20:59:59`,
      });
      const [plan] = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data ?? [];
      const now = new Date(momentOf(`${day} 21:00:07`, ZONE) * 1000);
      await keep(gameId, read(name, plan?.phase ?? '', day), now);
      expect(await recordsOf(gameId)).toMatchObject([{ phase: plan?.phase, openTime: `${day} 21:00:00` }]);
    });

    it('is the end of its day without a plan, but not later than now', async () => {
      const gameId = await buildGame(server.db, { phase: '1000' });
      const now = new Date(momentOf(`${today()} 12:00:00`, ZONE) * 1000);
      await keep(gameId, read(name, '0800', '2020-01-05'), now);
      await keep(gameId, read(name, '0801', today()), now);
      expect((await recordsOf(gameId)).map(({ phase, openTime }) => [phase, openTime])).toEqual([
        ['0801', `${today()} 12:00:00`],
        ['0800', '2020-01-05 23:59:59'],
      ]);
      // Tomorrow's draw is none yet.
      expect(await keep(gameId, read(name, '0802', addDays(today(), 1)), now)).toMatchObject([
        { outcome: 'UNKNOWN' },
      ]);
    });
  },
);

it('a time of day stays as the source says it, midnight too', async () => {
  const gameId = await buildGame(server.db, { phase: '1000' });
  await keep(gameId, read('OpenCodeSpider', '0800', '2020-01-05 00:00:00'), new Date());
  await keep(gameId, read('OpenCodeSpider', '0801', '2020-01-05 21:15'), new Date());
  expect((await recordsOf(gameId)).map(({ openTime }) => openTime)).toEqual([
    '2020-01-05 21:15:00',
    '2020-01-05 00:00:00',
  ]);
});

it('a year of two digits, as sporttery.cn writes it, is the game’s own: for a plan, for what is past, and against what others said', async () => {
  const day = addDays(today(), 1);
  const year = day.slice(0, 4);
  const daily = [{ start: '20:00:00', end: '20:00:00' }];
  const gameId = await buildGame(server.db, {
    openRate: 86_400,
    phaseRule: 'YEARLY',
    phase: `${year}055`,
    timeRanges: daily,
  });
  const window = { beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` };
  await admin.call(generateDrawPlans, { gameId, ...window });
  const [plan] = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data ?? [];
  expect(plan?.phase).toMatch(new RegExp(`^${year}\\d{3}$`));
  const now = new Date(momentOf(`${addDays(day, 1)} 20:00:30`, ZONE) * 1000);
  const short = (phase: string) => phase.slice(2);
  const past = `${year}001`;
  await keep(gameId, read('SportsLotterySpider', short(plan?.phase ?? ''), addDays(day, 1)), now);
  await keep(gameId, read('SportsLotterySpider', short(past), `${year}-01-01`), now);
  expect(await recordsOf(gameId)).toMatchObject([
    { phase: past, conflict: false },
    { phase: plan?.phase, openTime: plan?.endTime, conflict: false },
  ]);
  expect((await admin.call(pageDrawPlans, { gameId })).envelope.data?.data[0]?.status).toBe('OPENED');
  const other = [{ phase: past, result: '3,2,1', openTime: null }];
  expect(await keep(gameId, other, now)).toMatchObject([{ phase: past, outcome: 'CONFLICT' }]);
});

it.each([
  ['2025-03-08', '2025-03-09T04:59:59Z'],
  ['2025-03-09', '2025-03-10T03:59:59Z'],
  ['2025-11-02', '2025-11-03T04:59:59Z'],
])('a bare date %s is the last second that clocks show on it, however long the day', async (day, end) => {
  const timeZone = 'America/New_York';
  const { db, drop } = await testDatabase({ timeZone });
  const gameId = await buildGame(db, { phase: '1000' });
  const options = JSON.stringify({ list: '$[*]', phase: '$.no', result: '$.balls', openTime: '$.day' });
  const body = JSON.stringify([{ no: '0800', balls: '1,2,3', day }]);
  const results = collectorNamed('JsonPathSpider')?.read(body, { options, timeZone }) ?? [];
  const [judged] = await judgeResults(db, { gameId, results, now: new Date() });
  expect(judged?.openTime).toBe(Date.parse(end) / 1_000);
  await drop();
});
