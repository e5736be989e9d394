import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { keepResults } from './keep-results.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('records tell their source, and for every latitude of their own game what won, was given back or cannot be read', async () => {
  const gameId = await buildGame(server.db, { phase: '2026100' });
  const other = await buildGame(server.db);
  const latitudes = [
    [gameId, '特码', '6', 'ValueHandler', null],
    [gameId, '特码两面', '6', 'BigSmallHandler', '{"from": 25, "push": [49]}'],
    [gameId, '第八球', '7', 'ValueHandler', null],
    [other, '冠军', '0', 'ValueHandler', null],
  ];
  for (const [game, name, index, handler, options] of latitudes)
    await sql`insert into bet_latitude ("gameId", name, "resultIndex", "resultHandlerName", "handlerOptions")
      values (${game}, ${name}, ${index}, ${handler}, ${options})`.execute(server.db);
  const results = [
    { phase: '2026001', result: '01,02,03,04,05,06,49', openTime: 1_767_300_000 },
    { phase: '2026002', result: '01,02,03,04,05,06,25', openTime: 1_767_386_400 },
  ];
  await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId, source: '官网', results, now: new Date() }));
  const admin = await server.admin();
  const records = (await admin.call(pageDrawRecords, { gameId })).envelope.data?.data;
  // The eighth ball of seven is left out: its latitude cannot read this result.
  expect(records).toMatchObject([
    {
      ...{ phase: '2026002', source: '官网', verifiable: false },
      winners: [
        { name: '特码', numbers: ['25'], pushes: [] },
        { name: '特码两面', numbers: ['大'], pushes: [] },
      ],
    },
    {
      ...{ phase: '2026001', source: '官网', verifiable: false },
      winners: [
        { name: '特码', numbers: ['49'], pushes: [] },
        { name: '特码两面', numbers: [], pushes: ['大', '小'] },
      ],
    },
  ]);
});
