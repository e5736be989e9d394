import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords, verifyDraw } from '#contract/draw-records.ts';
import { type Game, listGames, updateGame } from '#contract/games.ts';
import { pageSpiders } from '#contract/spiders.ts';
import { momentOf } from '#server/platform-days.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { generateAhead } from '../draw-plans/generate-ahead.ts';
import { seed } from '../seed.ts';

const ZONE = 'Asia/Shanghai';
const DAY = '2026-03-09';
const at = (time: string, day = DAY) => new Date(momentOf(`${day} ${time}`, ZONE) * 1000);
const config = testConfig({ sampleData: true, timeZone: ZONE });

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

async function findGame(): Promise<Game | undefined> {
  const { envelope } = await admin.call(listGames, {});
  return (envelope.data ?? []).find(({ name }) => name === '示例五分彩');
}
async function theGame(): Promise<Game> {
  const game = await findGame();
  if (!game) throw new Error('no game that draws by itself');
  return game;
}
const FIRST_PHASE = '20260309144';
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId, pageSize: 500 })).envelope.data?.data ?? [])
    .filter(({ phase }) => phase >= FIRST_PHASE)
    .toReversed();
const recordsOf = async (gameId: number) =>
  (await admin.call(pageDrawRecords, { gameId, pageSize: 10 })).envelope.data?.data ?? [];
const drawnOf = async (gameId: number) => (await recordsOf(gameId)).filter(({ source }) => source !== '样例');
const spidersOf = async (gameId: number) => (await admin.call(pageSpiders, { gameId })).envelope.data?.data;
/** What the timers of two servers do at this time. */
async function lookAt(time: Date): Promise<void> {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const vault = createVault(server.config.secret);
  const services = { db: server.db, config: server.config, vault, clock: () => time, log };
  await Promise.all([lookAtPlans(services), lookAtPlans(services)]);
}

describe('the sample game that draws by itself', () => {
  it('is not there without sample data', async () => {
    await seed(server.db, testConfig({ sampleData: false }), at('11:58:00'));
    expect(await findGame()).toBeUndefined();
  });

  it('comes switched on, with a local draw and the plans that are left of its first day', async () => {
    await seed(server.db, config, at('11:58:00'));
    const { id, ...game } = await theGame();
    expect(game).toMatchObject({ openRate: 300, status: true, betStatus: true });
    expect(await spidersOf(id)).toMatchObject([{ spiderServiceName: 'LocalDrawSpider', enabled: true }]);
    const plans = await plansOf(id);
    // From the slot that 11:58 lies in, the 144th of the day, to the 288th.
    expect(plans).toHaveLength(145);
    expect(plans[0]).toMatchObject({
      phase: '20260309144',
      startTime: `${DAY} 11:55:00`,
      status: 'WAITTING',
    });
    expect(plans.at(-1)).toMatchObject({ phase: '20260309288', endTime: '2026-03-10 00:00:00' });
    expect(await drawnOf(id)).toEqual([]);
  });

  it('has a month of draws before its first promise, which say that they are made up', async () => {
    const { id: gameId } = await theGame();
    const { envelope: page } = await admin.call(pageDrawRecords, { gameId, pageSize: 10 });
    expect(page.data?.totalCount).toBeGreaterThan(8_000);
    const records = page.data?.data ?? [];
    expect(records.filter(({ source, verifiable }) => source !== '样例' || verifiable)).toEqual([]);
    expect(records[0]?.phase).toBe('20260309143');
    const { envelope } = await server.anonymous.call(verifyDraw, { gameId, phase: '20260309143' });
    expect(envelope).toMatchObject({
      success: false,
      msg: '本期是演示数据，结果为样例，没有投注前的承诺，无从验证',
    });
  });

  it('draws within five minutes, once over two servers, what anyone can verify and the game can read', async () => {
    const { id: gameId, numbers } = await theGame();
    await lookAt(at('11:58:01'));
    expect(await drawnOf(gameId)).toEqual([]);
    await lookAt(at('12:00:00'));
    await lookAt(at('12:00:01'));
    const records = await drawnOf(gameId);
    expect(records).toMatchObject([
      { phase: '20260309144', openTime: `${DAY} 12:00:00`, source: '本地开奖', verifiable: true },
    ]);
    const drawn = records[0]?.result.split(',') ?? [];
    expect(drawn).toHaveLength(5);
    expect(numbers.map(({ number }) => number)).toEqual(expect.arrayContaining(drawn));
    const { envelope } = await server.anonymous.call(verifyDraw, { gameId, phase: '20260309144' });
    expect(envelope.data).toMatchObject({
      result: records[0]?.result,
      seed: expect.stringMatching(/^\w{64}$/),
    });
    expect((await plansOf(gameId)).filter(({ status }) => status === 'OPENED')).toHaveLength(1);
  });

  it('stays as it is at the next start, and goes on the next day though nobody was there in the evening', async () => {
    const { id: gameId } = await theGame();
    const before = await plansOf(gameId);
    await seed(server.db, config, at('13:00:00'));
    expect(await plansOf(gameId)).toEqual(before);
    expect(await spidersOf(gameId)).toHaveLength(1);
    const ahead = await generateAhead(server.db, at('09:00:00', '2026-03-10'), ZONE);
    expect(ahead.filter((each) => each.gameId === gameId)).toMatchObject([{ day: '2026-03-10', made: 180 }]);
    expect((await plansOf(gameId)).at(-1)?.phase).toBe('20260310288');
  });

  it('is not put in again once an operator renamed it', async () => {
    const { timeRanges: _ranges, timeRangesDesc: _desc, numbers: _numbers, ...game } = await theGame();
    const renamed = await admin.call(updateGame, { ...game, name: '我的五分彩' });
    expect(renamed.envelope.success).toBe(true);
    await seed(server.db, config, at('14:00:00'));
    expect(await findGame()).toBeUndefined();
  });
});
