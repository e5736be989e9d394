import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { voidPhase } from '#contract/settlements.ts';
import { pageSlips } from '#contract/slips.ts';
import { buildBettors, buildPhase, buildSlips, builtLine } from '#server/testing/build-slips.ts';
import { slipsTold } from '#server/testing/settled-slips.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from './settle.ts';

// New York: on 2025-11-02 the hour from 01:00 came twice.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ timeZone: 'America/New_York' });
});
afterAll(() => server.close());

it('a void covers the slips that their list shows for its times, those of an hour that comes twice too', async () => {
  const { db } = server;
  const admin = await server.admin();
  const phase = await buildPhase(db);
  await sql`update draw_plan set "startTime" = '2025-11-02 05:45:00+00', "endTime" = '2025-11-02 08:00:00+00'
    where "gameId" = ${phase.gameId}`.execute(db);
  const [userId = 0] = await buildBettors(db, 1);
  // At 01:46 for the first time.
  const slips = await buildSlips(db, phase, [{ userId, lines: [builtLine('first', '9')] }]);
  const createTimeRange: [string, string] = ['2025-11-02 01:10:00', '2025-11-02 01:40:00'];
  const listed = (await admin.call(pageSlips, { gameId: phase.gameId, createTimeRange })).envelope.data;
  expect(listed?.data.map(({ id }) => id)).toEqual(slips);
  const answer = await admin.call(voidPhase, { ...phase, createTimeRange, reason: '错盘作废' });
  expect(answer.envelope).toMatchObject({ success: true });
  await settleDue(db);
  expect(await slipsTold(db, slips)).toEqual(['VOID 0.00 2.00']);
  expect((await proveBets(db)).breaks).toEqual([]);
  // Said again it is the same void.
  const again = await admin.call(voidPhase, { ...phase, createTimeRange, reason: '错盘作废' });
  expect(again.envelope.msg).toBe('这些注单已经作废');
});
