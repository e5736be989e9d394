import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageAwaitedAgreements, pageDrawRecords } from '#contract/draw-records.ts';
import { addSpider, dryRunSpider, pageSpiders, updateSpider } from '#contract/spiders.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { takeDueSources } from './due-sources.ts';
import { addressKey } from './source-address.ts';
import { runSource } from './spider-run.ts';

/** What is said of phase 2000 at each path. */
const results: Record<string, string> = {};
let source: Server;
let host = '';
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  source = createServer((request, response) => {
    const opencode = results[request.url ?? ''];
    response.end(JSON.stringify({ data: opencode ? [{ expect: '2000', opencode }] : [] }));
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  server = await startTestServer({ spiderAllowedHosts: [host] });
  admin = await server.admin();
});
afterAll(async () => {
  source.close();
  await server.close();
});

/** A game whose phase 2000 waits for two sources that agree. */
async function awaiting(): Promise<number> {
  const gameId = await buildGame(server.db, { status: false });
  await sql`update game set "agreeSources" = 2 where id = ${gameId}`.execute(server.db);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    values (${gameId}, '2000', date_trunc('second', now()) - interval '6 minutes',
      date_trunc('second', now()) - interval '1 minute', 'OPENING')`.execute(server.db);
  return gameId;
}
const spider = (gameId: number, name: string, path: string) => ({
  ...{ gameId, name, spiderServiceName: 'OpenCodeSpider', url: `http://${host}${path}` },
});
const add = async (gameId: number, name: string, path: string) => {
  const { data } = (await admin.call(addSpider, spider(gameId, name, path))).envelope;
  if (typeof data !== 'number') throw new Error('not added');
  return data;
};
const edit = async (id: number, gameId: number, name: string, path: string) =>
  expect((await admin.call(updateSpider, { id, ...spider(gameId, name, path) })).envelope.success).toBe(true);

/** Asks every source of the game now, one after the other. */
async function ask(gameId: number): Promise<void> {
  await sql`update spider set "nextRunTime" = now() - interval '1 minute' where "gameId" = ${gameId}`.execute(
    server.db,
  );
  for (;;) {
    await sql`delete from outbound_host`.execute(server.db);
    const due = await takeDueSources(server.db, new Date(), { room: 10 });
    if (due.length === 0) break;
    const services = { db: server.db, config: server.config, clock: () => new Date(), chance: () => 0.5 };
    for (const each of due) await runSource(services, each);
  }
  const { data } = (await admin.call(pageSpiders, { gameId, failing: 'YES' })).envelope;
  expect(data?.data).toEqual([]);
}
const recordsOf = async (gameId: number) =>
  given((await admin.call(pageDrawRecords, { gameId })).envelope.data).data.map(({ result, source: by }) => ({
    result,
    by,
  }));
const awaited = async (gameId: number) =>
  given(
    (await admin.call(pageAwaitedAgreements, {})).envelope.data?.data.find((each) => each.gameId === gameId),
  );
const words = async (gameId: number) =>
  (await awaited(gameId)).words.map(({ source: by, result }) => `${by} ${result}`).toSorted();

it('a source that was renamed has one voice, its last word, under the name it has', async () => {
  Object.assign(results, { '/a': '1,2,3', '/b': '1,2,3' });
  const gameId = await awaiting();
  const id = await add(gameId, '甲', '/a');
  await ask(gameId);
  await edit(id, gameId, '乙', '/a');
  expect((await awaited(gameId)).silent).toEqual([]);
  await ask(gameId);
  expect(await words(gameId)).toEqual(['乙 1,2,3']);
  // Nor has one that asks somewhere else since.
  await edit(id, gameId, '丙', '/b');
  await ask(gameId);
  expect(await words(gameId)).toEqual(['丙 1,2,3']);
  expect(await recordsOf(gameId)).toEqual([]);
});

it('several sources at one address have one voice, those at two have two', async () => {
  Object.assign(results, { '/a': '1,2,3', '/b': '1,2,3' });
  const gameId = await awaiting();
  await add(gameId, '甲', '/a');
  const second = await add(gameId, '乙', '/a');
  await ask(gameId);
  expect(await words(gameId)).toEqual(['乙 1,2,3', '甲 1,2,3']);
  expect(await recordsOf(gameId)).toEqual([]);
  await sql`delete from spider where id = ${second}`.execute(server.db);
  await add(gameId, '丙', '/b');
  await ask(gameId);
  expect(await recordsOf(gameId)).toEqual([{ result: '1,2,3', by: expect.stringMatching(/^[甲乙]$/) }]);
});

it('a word is not lost to a source that takes over the name of another', async () => {
  Object.assign(results, { '/a': '7,7,7', '/b': '1,2,3', '/c': '1,2,3' });
  const gameId = await awaiting();
  const id = await add(gameId, '甲', '/a');
  await ask(gameId);
  results['/a'] = '';
  await edit(id, gameId, '旧甲', '/a');
  await add(gameId, '甲', '/b');
  await sql`update spider set enabled = false where id = ${id}`.execute(server.db);
  await ask(gameId);
  expect(await words(gameId)).toEqual([`甲 #${id} 7,7,7`, '甲 1,2,3']);
  await add(gameId, '丙', '/c');
  await ask(gameId);
  const { data } = (await admin.call(pageDrawRecords, { gameId })).envelope;
  expect(data?.data).toMatchObject([
    { result: '1,2,3', conflict: true, conflicts: [{ source: `甲 #${id}`, result: '7,7,7' }] },
  ]);
});

it.each([
  ['https://feed.example/x?a=1', 'http://feed.example:80/x?a=1#end'],
  ['http://FEED.example', 'https://feed.example:443/'],
  ['http://feed.example:443/x', 'https://feed.example/x'],
])('%s and %s are one address', (one, other) => {
  expect(addressKey(one)).toBe(addressKey(other));
});

it('a dry run tells what the word would come to: one that waits for others, or a result', async () => {
  Object.assign(results, { '/a': '1,2,3', '/b': '01,2,3' });
  const gameId = await awaiting();
  const [first, second] = [await add(gameId, '甲', '/a'), await add(gameId, '乙', '/b')];
  const tried = async (id: number) => {
    await sql`delete from outbound_host`.execute(server.db);
    return (await admin.call(dryRunSpider, { id })).envelope.data?.map(({ outcome }) => outcome);
  };
  const said = async () => (await awaited(gameId)).words.map(({ source: by }) => by);
  expect(await tried(first)).toEqual(['AWAITED']);
  await sql`update spider set enabled = id = ${first} where "gameId" = ${gameId}`.execute(server.db);
  await ask(gameId);
  expect(await said()).toEqual(['甲']);
  // Its own word of before is no second one.
  expect(await tried(first)).toEqual(['AWAITED']);
  expect(await tried(second)).toEqual(['NEW']);
  Object.assign(results, { '/b': '3,2,1' });
  expect(await tried(second)).toEqual(['AWAITED']);
  expect(await said()).toEqual(['甲']);
  expect(await recordsOf(gameId)).toEqual([]);
  // Where one suffices nobody is waited for.
  await sql`update game set "agreeSources" = 1 where id = ${gameId}`.execute(server.db);
  expect(await tried(second)).toEqual(['NEW']);
});
