import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { addGamePreset } from '#contract/games.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { withWinners } from './winners.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: TestServer;
let gameId: number;
beforeAll(async () => {
  server = await startTestServer();
  gameId = given((await (await server.admin()).call(addGamePreset, { key: 'marksix' })).envelope.data);
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime")
    select ${gameId}, n::text, '01,02,03,04,05,06,' || 7 + n % 43, now() from generate_series(1, 210) n`.execute(
    server.db,
  );
});
afterAll(() => server.close());

it('however many are worked out at once, others have their turn after a slice of one of them', async () => {
  let order = '';
  const pageOf = (name: string) => {
    const data = Array.from({ length: 120 }, (_, n) => ({
      ...{ id: n + 1, gameId, phase: `${n}`, openTime: '2026-11-26 12:00:00' },
      ...{
        createTime: '2026-11-26 12:00:00',
        source: null,
        conflict: false,
        conflicts: [],
        verifiable: false,
      },
      get result() {
        order += name;
        return '01,02,03,04,05,06,49';
      },
    }));
    return { totalCount: data.length, data };
  };
  let ended = false;
  const turn = (): void => {
    order += '|';
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => withWinners(server.db, pageOf(name))));
  ended = true;
  const turns = order.split('|').map((worked) => new Set(worked).size);
  // Each begins at once, beside whichever is at work.
  expect(turns.filter((pages) => pages > 1).length).toBeLessThanOrEqual(6);
});

it('one caller has a few under way and is told to come back with more; others are answered', async () => {
  const { username } = await buildOperator(server.db, { grants: ['/main/game/open-record'] });
  const many = await server.as(username, PASSWORD);
  const admin = await server.admin();
  const long = { gameId, pageSize: 210 };
  const asked = Array.from({ length: 12 }, () => many.call(pageDrawRecords, long));
  const [theirs, ...answers] = await Promise.all([admin.call(pageDrawRecords, long), ...asked]);
  expect(theirs.envelope.data?.data).toHaveLength(210);
  const sentAway = answers.filter(({ status }) => status === 429);
  expect(sentAway.length).toBeGreaterThan(0);
  expect(sentAway[0]?.headers.get('retry-after')).toBe('5');
  const told = answers.filter(({ status }) => status === 200);
  expect(told.length).toBeGreaterThan(0);
  expect(told.every(({ envelope }) => envelope.data?.data.length === 210)).toBe(true);
  // Nothing is left of it.
  expect((await many.call(pageDrawRecords, long)).status).toBe(200);
});
