import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageAwaitedAgreements, pageDrawRecords } from '#contract/draw-records.ts';
import { addGame, pageGames } from '#contract/games.ts';
import { type BuiltPhase, buildBettors, buildPhase, buildSlips } from '#server/testing/build-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';
import { keepResults } from './keep-results.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

async function phaseOf(agreeSources: number): Promise<BuiltPhase> {
  const phase = await buildPhase(server.db);
  await server.db.updateTable('game').set({ agreeSources }).where('id', '=', phase.gameId).execute();
  return phase;
}
const says = ({ gameId, phase }: BuiltPhase, source: string, result: string) =>
  server.db.transaction().execute((tx) =>
    keepResults(tx, {
      gameId,
      source,
      now: new Date(),
      results: [{ phase, result, openTime: 1_700_000_000 }],
    }),
  );
const recordsOf = async ({ gameId }: BuiltPhase) =>
  (await admin.call(pageDrawRecords, { gameId })).envelope.data?.data ?? [];
const awaited = async ({ gameId }: BuiltPhase) =>
  ((await admin.call(pageAwaitedAgreements, {})).envelope.data?.data ?? []).filter(
    (each) => each.gameId === gameId,
  );

it('nothing is a result, and nothing settled, before so many sources agree; what waits is shown with its age', async () => {
  const phase = await phaseOf(2);
  const [player = 0] = await buildBettors(server.db, 1);
  const [slip = 0] = await buildSlips(server.db, phase, [
    { userId: player, lines: [{ rules: 'first', selection: '9', unitStake: '2' }] },
  ]);
  const status = async () =>
    (await server.db.selectFrom('slip').select('status').where('id', '=', slip).executeTakeFirst())?.status;
  await sql`
    insert into spider ("gameId", name, "spiderServiceName", enabled)
    values (${phase.gameId}, '丁', 'JsonSpider', true), (${phase.gameId}, '戊', 'JsonSpider', false)`.execute(
    server.db,
  );
  await says(phase, '甲', '9,3,5,5,5');
  await says(phase, '甲', '9,3,5,5,5');
  await settleDue(server.db);
  expect(await recordsOf(phase)).toEqual([]);
  expect(await status()).toBe('PENDING');
  await sql`update draw_word set "createTime" = now() - interval '90 seconds'`.execute(server.db);
  const [waiting] = await awaited(phase);
  expect(waiting).toMatchObject({
    ...phase,
    agreeSources: 2,
    words: [{ source: '甲', result: '9,3,5,5,5' }],
    silent: ['丁'],
    entry: null,
  });
  expect(waiting?.ageSeconds).toBeGreaterThanOrEqual(90);
  // Zeros in front say nothing.
  await says(phase, '乙', '09,3,5,5,5');
  expect(await recordsOf(phase)).toMatchObject([{ result: '9,3,5,5,5', source: '甲', conflict: false }]);
  expect(await awaited(phase)).toEqual([]);
  await settleDue(server.db);
  expect(await status()).toBe('WON');
});

it('whoever said otherwise before the others agreed raises a conflict; a source that corrects itself does not', async () => {
  const phase = await phaseOf(2);
  await says(phase, '甲', '1,3,5,5,5');
  await says(phase, '乙', '9,3,5,5,5');
  expect((await awaited(phase))[0]?.words).toHaveLength(2);
  await says(phase, '丙', '9,3,5,5,5');
  expect(await recordsOf(phase)).toMatchObject([
    { result: '9,3,5,5,5', source: '乙', conflict: true, conflicts: [{ source: '甲', result: '1,3,5,5,5' }] },
  ]);
  const other = await phaseOf(2);
  await says(other, '甲', '1,3,5,5,5');
  await says(other, '乙', '9,3,5,5,5');
  await says(other, '甲', '9,3,5,5,5');
  expect(await recordsOf(other)).toMatchObject([{ result: '9,3,5,5,5', conflict: false }]);
});

it('a game asks for one source unless it says more, and for as many as it says', async () => {
  const [{ categoryId } = { categoryId: 0 }] = await server.db
    .selectFrom('game')
    .select('categoryId')
    .limit(1)
    .execute();
  const game = { name: '共识彩', categoryId, openRate: 300, stopBetSecond: 10 };
  const plain = (await admin.call(addGame, game)).envelope.data;
  const three = (await admin.call(addGame, { ...game, name: '三源彩', agreeSources: 3 })).envelope.data;
  const { data } = (await admin.call(pageGames, {})).envelope.data ?? { data: [] };
  const of = (id: unknown) => data.find((each) => each.id === id)?.agreeSources;
  expect([of(plain), of(three)]).toEqual([1, 3]);
  expect((await admin.call(addGame, { ...game, name: '零', agreeSources: 0 })).envelope.success).toBe(false);
});

it('past the end of what waits there is nothing, of as many as there are', async () => {
  const phases = [await phaseOf(2), await phaseOf(2)];
  for (const phase of phases) await says(phase, '甲', '1,1,1,1,1');
  // Of the same moment, which tells neither from the other.
  await sql`update draw_word set "createTime" = '2026-01-01' where source = '甲'`.execute(server.db);
  const pageAt = async (currentPage: number) =>
    (await admin.call(pageAwaitedAgreements, { currentPage, pageSize: 1 })).envelope.data;
  const shown = [await pageAt(1), await pageAt(2)];
  expect(shown.flatMap((page) => page?.data.map(({ gameId }) => gameId))).toEqual(
    phases.map(({ gameId }) => gameId),
  );
  expect(await pageAt(9)).toEqual({ totalCount: shown[0]?.totalCount, data: [] });
});
