import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRebateRate, previewRebates, releaseRebates } from '#contract/rebates.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { prepareRun } from './prepare-run.ts';

let server: TestServer;
let admin: TestClient;
let game: Awaited<ReturnType<typeof buildPastGame>>;
let days: [first: string, second: string];
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  game = await buildPastGame(server.db);
  days = [await pastDay(server.db, 2), await pastDay(server.db, 1)];
});
afterAll(() => server.close());

const say = (level: number, rate: string, validFrom: string) =>
  admin.call(addRebateRate, { level, categoryId: game.categoryId, rate, validFrom });
const releaseDay = async (day: string) => (await admin.call(releaseRebates, { day })).envelope;
const rebate = async () => (await admin.call(previewRebates, {})).envelope.data?.rebate;

it('a day that is worked out and released while a rate for it is being said goes by that rate', {
  retry: 0,
}, async () => {
  const { db } = server;
  const [userId = 0] = await buildBettors(db, 1);
  const [first, second] = days;
  const bet = [{ userId, lines: [{ rules: 'first' as const, selection: '9', unitStake: '100' }] }];
  expect((await say(0, '0.01', first)).envelope.success).toBe(true);
  for (const day of days) await game.play(day, bet);
  await preparedRun(db, first);
  expect((await releaseDay(first)).success).toBe(true);
  // Of no day a run is prepared now.
  const { saying, isReleased } = await db.transaction().execute(async (tx) => {
    await sql`lock table rebate_rate in share mode`.execute(tx);
    const call = say(0, '0.02', second);
    while ((await waitForLocks(db)) < 1);
    await prepareRun(db);
    return { saying: call, isReleased: (await releaseDay(second)).success };
  });
  expect([(await saying).envelope.success, isReleased]).toEqual([true, false]);
  await preparedRun(db, second);
  expect(await rebate()).toBe('2.00');
});

it('who says a rate and who works a day out do not wait for each other', async () => {
  const { db } = server;
  const saying = await db.transaction().execute(async (tx) => {
    // As whoever works the day out anew: first what it goes by, then its run.
    await sql`lock table rebate_ground in share row exclusive mode nowait`.execute(tx);
    const call = say(1, '0.02', days[1]);
    const over = call.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(db)) < 1);
    await sql`select from rebate_run where status = 'PREPARED' for update nowait`.execute(tx);
    return { call };
  });
  expect((await saying.call).envelope.success).toBe(true);
});
