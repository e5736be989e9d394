import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getCurrentPhase, listCatalogueGames, listCataloguePlayWays } from '#contract/platform-catalogue.ts';
import { addPhase, buildBetting } from '#server/testing/build-betting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
});
afterAll(() => server.close());

const read = (path: string, tag?: string) =>
  fetch(`${server.origin}/open/v1${path}`, {
    headers: { authorization: `Bearer ${server.site().token}`, ...(tag ? { 'if-none-match': tag } : {}) },
  });

it('tells games and their play ways with odds, and what is stopped', async () => {
  const { gameId, bigSmall, threeStars } = await buildBetting(server.db);
  const games = (await site.call(listCatalogueGames, {})).envelope.data ?? [];
  expect(games.find(({ id }) => id === gameId)).toMatchObject({
    ...{ status: true, betStatus: true, openRate: 300, stopBetSecond: 2, introduce: null },
    resultRule: { parts: [{ count: 5, repeat: true, ordered: true }] },
  });
  await sql`update odds set stopped = true where "playWayId" = ${bigSmall} and id = (select min(id) from odds where "playWayId" = ${bigSmall})`.execute(
    server.db,
  );
  const limits = { minStake: null, maxStake: null, maxLineStake: null, payoutCap: null };
  expect((await site.call(listCataloguePlayWays, { id: gameId })).envelope.data).toEqual([
    {
      ...{
        id: bigSmall,
        name: '总和大小',
        categoryName: '总和大小类',
        subCategoryName: '总和大小组',
        selection: null,
      },
      ...{ oddsFrom: 'NUMBER', stopped: false, limits },
      odds: [
        { number: '大', odds: '1.98', stopped: true },
        { number: '小', odds: '1.98', stopped: false },
      ],
    },
    expect.objectContaining({
      ...{ id: threeStars, oddsFrom: 'OUTCOME', odds: [{ number: '前三直选', odds: '900', stopped: false }] },
      selection: expect.objectContaining({ kind: 'PLACES', places: 3 }),
    }),
  ]);
  expect((await site.call(listCataloguePlayWays, { id: 999_999_999 })).envelope.msg).toBe('记录不存在');
});

it('an answer that is still true is not sent again, and one that is not comes with another tag', async () => {
  const { gameId, bigSmall } = await buildBetting(server.db);
  for (const path of ['/games', `/games/${gameId}/playWays`]) {
    const first = await read(path);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^(W\/)?"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await read(path, `"other", ${tag}`);
    expect([again.status, await again.text()]).toEqual([304, '']);
    await sql`update odds set odds = odds + 0.01 where "playWayId" = ${bigSmall}`.execute(server.db);
    await sql`update game set introduce = ${path} where id = ${gameId}`.execute(server.db);
    const changed = await read(path, tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  }
  const missing = await read('/games/999999999/playWays');
  expect(missing.headers.get('etag')).toBeNull();
});

it('tells the phase that takes bets, when it closes, and the next', async () => {
  const { gameId, phase, planId } = await buildBetting(server.db, { to: 60, stopBetSecond: 10 });
  const next = await addPhase(server.db, gameId, '1001', 60, 120);
  await sql`update draw_plan set "startTime" = (select "endTime" from draw_plan where id = ${planId}) where id = ${next}`.execute(
    server.db,
  );
  const current = async () => (await site.call(getCurrentPhase, { id: gameId })).envelope.data;
  const told = await current();
  expect(told).toMatchObject({ phase, next: { phase: '1001' } });
  const at = (text: string | null | undefined) => Date.parse(`${text?.replace(' ', 'T')}+08:00`);
  expect(at(told?.endTime) - at(told?.closeTime)).toBe(10_000);
  expect(told?.next?.startTime).toBe(told?.endTime);
  expect(Math.abs(at(told?.serverTime) - Date.now())).toBeLessThan(5_000);
  const nothing = { phase: null, startTime: null, closeTime: null, endTime: null };
  await sql`update game set "betStatus" = false where id = ${gameId}`.execute(server.db);
  expect(await current()).toMatchObject(nothing);
  const closed = await buildBetting(server.db, { to: 5, stopBetSecond: 30 });
  expect((await site.call(getCurrentPhase, { id: closed.gameId })).envelope.data).toMatchObject({
    ...nothing,
    next: null,
  });
  expect((await site.call(getCurrentPhase, { id: 999_999_999 })).envelope.msg).toBe('记录不存在');
});
