import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import type { JobServices } from '#server/jobs/part.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { keepResults } from '../draw-records/keep-results.ts';
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

describe('a phase that could be bet on without a promise', () => {
  const states = async (gameId: number) =>
    (await plansOf(gameId)).map(
      ({ takesBets, commitment }) =>
        `${takesBets ? 'open' : 'shut'}${commitment === null ? '' : ', promised'}`,
    );
  const addLocal = (gameId: number) =>
    sql`insert into spider ("gameId", name, "spiderServiceName", options)
      values (${gameId}, '本地', 'LocalDrawSpider', ${OPTIONS})`.execute(server.db);
  const enable = (gameId: number, enabled: boolean) =>
    sql`update spider set enabled = ${enabled} where "gameId" = ${gameId}`.execute(server.db);
  const recordsOf = async (gameId: number) =>
    (await sql`select phase, result from draw_record where "gameId" = ${gameId}`.execute(server.db)).rows;

  it('is never promised after its game came to draw by itself: it waits for its collected result', async () => {
    const gameId = await planned(60, 3, -90, false);
    await lookIn(0);
    expect(await states(gameId)).toEqual(['shut', 'open', 'shut']);
    await addLocal(gameId);
    // Nobody bets on what nobody will draw.
    expect(await states(gameId)).toEqual(['shut', 'shut', 'shut']);
    await lookIn(0);
    await lookIn(0);
    expect(await states(gameId)).toEqual(['shut', 'shut', 'shut, promised']);
    expect(await recordsOf(gameId)).toEqual([]);
    const results = [{ phase: '3000', result: '1,2,3', openTime: Math.floor(Date.now() / 1000) }];
    const reading = { gameId, source: '甲', results, now: new Date() };
    await server.db.transaction().execute((tx) => keepResults(tx, reading));
    expect(await recordsOf(gameId)).toEqual([{ phase: '3000', result: '1,2,3' }]);
  });

  it('is one of a game whose local draws were switched off for a moment before they promised it', async () => {
    const gameId = await planned(60, 2, -30);
    expect(await states(gameId)).toEqual(['shut', 'shut']);
    await enable(gameId, false);
    expect(await states(gameId)).toEqual(['open', 'shut']);
    await enable(gameId, true);
    await lookIn(0);
    await lookIn(0);
    expect(await states(gameId)).toEqual(['shut', 'shut, promised']);
  });

  it('is not promised under its number later either, though its plan was cleared and made anew', async () => {
    const gameId = await planned(60, 1, -30, false);
    await sql`delete from draw_plan where "gameId" = ${gameId}`.execute(server.db);
    await addLocal(gameId);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
      values (${gameId}, '3000', now() + interval '1 minute', now() + interval '2 minutes'),
        (${gameId}, '3001', now() + interval '2 minutes', now() + interval '3 minutes')`.execute(server.db);
    await lookIn(70);
    expect(await states(gameId)).toEqual(['shut', 'shut, promised']);
  });

  it('is promised all the same where the game drew by itself all the while, only late', async () => {
    const gameId = await planned(60, 3, -90);
    // Two spiders, of which one goes, are as good as one.
    await sql`insert into spider ("gameId", name, "spiderServiceName", options)
      values (${gameId}, '另一', 'LocalDrawSpider', ${OPTIONS})`.execute(server.db);
    await sql`delete from spider where "gameId" = ${gameId} and name = '另一'`.execute(server.db);
    await lookIn(0);
    expect(await states(gameId)).toEqual(['shut, promised', 'open, promised', 'shut, promised']);
  });

  it('is refused a promise by the database, whoever writes', async () => {
    const gameId = await planned(60, 1, -30, false);
    const promise = () =>
      sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed) values (${gameId}, '3000', '{}', '', '')`.execute(
        server.db,
      );
    await expect(promise()).rejects.toMatchObject({ code: 'DR010', detail: '3000' });
    await addLocal(gameId);
    await expect(promise()).rejects.toMatchObject({ code: 'DR010' });
  });

  it('cannot come about while it is being promised: switching the local draws off waits', async () => {
    const gameId = await planned(60, 1, -30);
    const held = Promise.withResolvers<void>();
    const promising = Promise.withResolvers<void>();
    const promise = server.db.transaction().execute(async (tx) => {
      await sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed) values (${gameId}, '3000', '{}', 'x', '')`.execute(
        tx,
      );
      await sql`update draw_plan set commitment = 'x' where "gameId" = ${gameId}`.execute(tx);
      promising.resolve();
      await held.promise;
    });
    await promising.promise;
    let isOff = false;
    const off = enable(gameId, false).then(() => {
      isOff = true;
    });
    await expect
      .poll(async () => {
        const { rows } =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update spider%'
          and datname = current_database()`.execute(server.db);
        return rows.length;
      })
      .toBe(1);
    expect(isOff).toBe(false);
    held.resolve();
    await Promise.all([promise, off]);
    expect(await states(gameId)).toEqual(['open, promised']);
  });
});

it('a plan’s betting ends at its draw time by the database’s clock, whatever a program believes', async () => {
  const gameId = await planned(60, 2, -30, false);
  await expect(
    sql`update draw_plan set status = 'OPENING' where "gameId" = ${gameId}`.execute(server.db),
  ).rejects.toMatchObject({ code: 'DR009' });
  await expect(
    sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '1', now() - interval '2 minutes', now() + interval '1 minute', 'OPENING')`.execute(
      server.db,
    ),
  ).rejects.toMatchObject({ code: 'DR009' });
});
