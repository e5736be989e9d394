import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { getGamePage } from '#contract/game-pages.ts';
import { addSpider } from '#contract/spiders.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('tells of a game its rules, the phase that takes bets, what waits for a result and how its sources are', async () => {
  const { db } = server;
  const gameId = await buildGame(db);
  const other = await buildGame(db);
  const admin = await server.admin();
  const plan = (game: number, phase: string, from: string, to: string, status = 'WAITTING', late = false) =>
    sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status, "lateTime")
      values (${game}, ${phase}, now() + ${from}::interval, now() + ${to}::interval, ${status}, ${late ? sql`now()` : null})`.execute(
      db,
    );
  await sql`update game set status = true, "betStatus" = true, "stopBetSecond" = 5 where id in (${gameId}, ${other})`.execute(
    db,
  );
  await plan(gameId, '101', '-3 hours', '-2 hours', 'OPENING', true);
  await plan(gameId, '102', '-2 hours', '-1 hour', 'OPENING');
  await plan(gameId, '103', '-1 hour', '1 hour');
  await plan(gameId, '104', '1 hour', '2 hours');
  await plan(other, '900', '-3 hours', '-2 hours', 'OPENING', true);
  const source = { spiderServiceName: 'OpenCodeSpider', url: 'https://example.com/draws.json' };
  await admin.call(addSpider, { gameId, name: '主源', ...source });
  await admin.call(addSpider, { gameId, name: '备源', ...source });
  await sql`update spider set "consecutiveFailures" = 3 where "gameId" = ${gameId} and name = '备源'`.execute(
    db,
  );

  const { username, password } = await buildOperator(db, { grants: ['/main/game/game-page'] });
  const client = await server.as(username, password);
  expect((await client.call(getGamePage, { id: gameId })).envelope.data).toMatchObject({
    game: { id: gameId, stopBetSecond: 5, status: true },
    current: { phase: '103', next: { phase: '104' } },
    plans: { opening: 2, late: 1 },
    sources: { enabled: 2, failing: 1 },
  });
  expect((await client.call(pageDrawPlans, { gameId })).status).toBe(403);
  expect((await client.call(getGamePage, { id: 99_999_999 })).envelope).toMatchObject({
    ...{ success: false, code: 400, data: { errors: { id: '游戏不存在' } } },
  });
});
