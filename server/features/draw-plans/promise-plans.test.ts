import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import type { JobServices } from '#server/jobs/part.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { promisePlans } from './promise-plans.ts';

let server: TestServer;
let admin: TestClient;
let now = new Date();
let services: JobServices;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  services = {
    db: server.db,
    config: server.config,
    vault: createVault(server.config.secret),
    clock: () => now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  };
});
afterAll(() => server.close());

const OPTIONS = '{"count":3,"pool":["1","2","3","4"],"repeat":false}';

/** A game with plans of so many seconds each; the place 0 plan begins `begin` seconds from now. */
async function planned(seconds: number, plans: number, begin: number, local = true): Promise<number> {
  const gameId = await buildGame(server.db, {
    openRate: seconds,
    stopBetSecond: seconds > 1 ? 5 : 0,
    status: false,
  });
  if (local)
    await sql`insert into spider ("gameId", name, "spiderServiceName", options)
      values (${gameId}, '本地', 'LocalDrawSpider', ${OPTIONS})`.execute(server.db);
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}, (3000 + n)::text, begin + n * ${seconds}::int * interval '1 second',
      begin + (n + 1) * ${seconds}::int * interval '1 second'
    from generate_series(0, ${plans - 1}::int) as n,
      (select now() + ${begin}::int * interval '1 second' as begin) as b`.execute(server.db);
  return gameId;
}
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId, pageSize: 500 })).envelope.data?.data ?? []).toReversed();
const promised = async (gameId: number) =>
  (await plansOf(gameId)).filter(({ commitment }) => commitment !== null).length;
const lookIn = async (seconds: number) => {
  now = new Date(Date.now() + seconds * 1_000);
  await lookAtPlans(services);
};

describe('a promise', () => {
  it.each([
    ['one slot', 60, 60],
    ['long enough for another server to step in', 1, 10],
    ['as long as an outage is worth', 86_400, 600],
  ])('is made before betting opens: %s ahead', async (_, seconds, ahead) => {
    const begin = 1_000;
    const gameId = await planned(seconds, 3, begin);
    await lookIn(begin - ahead - 2);
    expect(await promised(gameId)).toBe(0);
    await lookIn(begin - ahead + 0.4);
    expect(await promised(gameId)).toBe(1);
    await lookIn(begin + 0.4);
    expect(await promised(gameId)).toBe(seconds === 86_400 ? 1 : seconds === 1 ? 3 : 2);
  });

  it('is made for hundreds of games in one transaction, and once over several servers', async () => {
    const games: number[] = [];
    while (games.length < 120) games.push(await planned(60, 2, 1_000));
    now = new Date(Date.now() + 1_000_900);
    const counts = await Promise.all(
      [1, 2, 3].map(() => promisePlans(server.db, services.vault, now).then(({ count }) => count)),
    );
    const { rows } = await sql<{ n: number; transactions: number }>`
      select count(*) as n, count(distinct xmin::text) as transactions from draw_commitment
      where "gameId" = any(${games})`.execute(server.db);
    // Of each game the plan that opens now and the next one.
    expect(rows[0]?.n).toBe(240);
    expect(counts.reduce((sum, count) => sum + count)).toBe(240);
    expect(rows[0]?.transactions).toBeLessThanOrEqual(3);
  });
});

describe('a plan takes bets', () => {
  const states = async (gameId: number) => (await plansOf(gameId)).map(({ takesBets }) => takesBets);

  it('from its beginning until it closes', async () => {
    expect(await states(await planned(60, 3, -90, false))).toEqual([false, true, false]);
    // The last seconds before the draw are closed already.
    expect(await states(await planned(60, 1, -57, false))).toEqual([false]);
  });

  it('of a game that draws by itself only once its draw is promised, though it be late', async () => {
    const gameId = await planned(60, 3, -90);
    expect(await states(gameId)).toEqual([false, false, false]);
    await lookIn(0);
    expect(await states(gameId)).toEqual([false, true, false]);
    // It is the promise that counts, not the spider.
    await sql`update spider set enabled = false where "gameId" = ${gameId}`.execute(server.db);
    expect(await states(gameId)).toEqual([false, true, false]);
  });
});
