import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRebateRate, previewRebates, releaseRebates } from '#contract/rebates.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { buildBettors, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginVoid } from '../settlements/voids.ts';
import { payReleased } from './pay-run.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const preview = async () => (await admin.call(previewRebates, {})).envelope.data;

it('a phase whose slips lie on two days is looked at again for both', async () => {
  const { db } = server;
  const [first, second] = [await pastDay(db, 3), await pastDay(db, 2)];
  const game = await buildPastGame(db);
  const [anna = 0, berta = 0] = await buildBettors(db, 2);
  const rate = { level: 0, categoryId: game.categoryId, rate: '0.01', validFrom: first };
  expect((await admin.call(addRebateRate, rate)).envelope.success).toBe(true);
  const line = (unitStake: string) => [{ rules: 'first' as const, selection: '9', unitStake }];
  // Drawn at noon of the second day; of a day that begins at 13:00 that is the first.
  const phase = await game.play(second, [{ userId: anna, lines: line('200') }], '');
  await setParam(db, 'report.dayStart', '13:00');
  const late = await buildSlips(db, phase, [{ userId: berta, lines: line('100') }]);
  await setParam(db, 'report.dayStart', '00:00');
  const { rows } = await sql<{ day: string }>`
    select day::text as day from slip where id = any(${[...phase.ids, ...late]}::bigint[]) order by id`.execute(
    db,
  );
  expect(rows.map(({ day }) => day)).toEqual([second, first]);

  // What was prepared before the phase is settled is no longer true afterwards.
  await preparedRun(db, first);
  expect(await preview()).toMatchObject({ turnover: '0.00', unsettled: 1 });
  // It looked while the clock was an hour ahead: what is settled after that look ends before it.
  await sql`update rebate_run set "seenTime" = now() + interval '1 hour' where day = ${first}::date`.execute(
    db,
  );
  await recordResult(db, phase, '3,3,5,5,5');
  await settleDue(db);
  await preparedRun(db, first);
  expect(await preview()).toMatchObject({ turnover: '100.00', rebate: '1.00', unsettled: 0 });
  expect((await admin.call(releaseRebates, { day: first })).envelope.success).toBe(true);
  await payReleased(db);

  // What is void after the release is taken off what the next run gives.
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  await db.transaction().execute((tx) => beginVoid(tx, phase, act));
  await settleDue(db);
  await preparedRun(db, second);
  expect(await preview()).toMatchObject({ corrected: [first], turnover: '0.00' });
});
