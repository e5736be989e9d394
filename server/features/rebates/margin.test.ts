import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseApproval } from '#contract/approvals.ts';
import { addRebateRate, pageRebateRates, previewRebates, updateRebateRate } from '#contract/rebates.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const WHY = '返水比例 0.0101 高于玩法“总和大小”的平台留存（返还率 0.99）';

it('a share above what the house keeps of a play way needs a second operator, and whoever releases a day is warned of it', async () => {
  const { db } = server;
  const past = await buildPastGame(db);
  // Of each 100 staked on 大 or 小 99 come back: the house keeps 0.01.
  const { gameId } = await buildBetting(db);
  const { categoryId } = past;
  await sql`update game set "categoryId" = ${categoryId} where id = ${gameId}`.execute(db);
  const day = await pastDay(db, 1);
  const rate = (level: number, share: string) => ({ level, categoryId, rate: share, validFrom: day });
  const second = await fullOperator(server);
  await setParam(db, 'approval.enabled', 'true');
  const id = given((await admin.call(addRebateRate, rate(3, '0.01'))).envelope.data);
  const shares = async () =>
    (await admin.call(pageRebateRates, { categoryId })).envelope.data?.data.map((each) => each.rate);
  const raised = waiting(await admin.call(updateRebateRate, { ...rate(3, '0.0101'), id, version: 1 }));
  const added = waiting(await admin.call(addRebateRate, rate(4, '0.0101')));
  for (const each of [raised, added]) expect((await approvalSeenBy(admin, each)).why).toBe(WHY);
  expect(await shares()).toEqual(['0.01']);
  expect((await admin.call(releaseApproval, { id: added })).envelope.success).toBe(false);
  for (const each of [raised, added])
    expect((await second.client.call(releaseApproval, { id: each })).envelope.success).toBe(true);
  expect(await shares()).toEqual(['0.0101', '0.0101']);
  await setParam(db, 'approval.enabled', 'false');

  const { userId } = await buildUser(db, { balance: '1000', level: 3 });
  await past.play(day, [{ userId, lines: [{ rules: 'first', selection: '9', unitStake: '100' }] }]);
  await preparedRun(db, day);
  const warning = { categoryId, rate: '0.0101', playWay: '总和大小', returnRate: '0.99' };
  const warnings = async () =>
    (await admin.call(previewRebates, {})).envelope.data?.warnings.toSorted((a, b) => a.level - b.level);
  expect(await warnings()).toEqual([
    { level: 3, ...warning },
    { level: 4, ...warning },
  ]);
  // What is kept exactly, or of a play way that is gone, is no cause to warn.
  await sql`update rebate_rate set rate = 0.01 where level = 3`.execute(db);
  expect(await warnings()).toEqual([{ level: 4, ...warning }]);
  await sql`delete from play_way where "gameId" = ${gameId}`.execute(db);
  expect(await warnings()).toEqual([]);
});
