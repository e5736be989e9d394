import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAgent } from '#contract/agents.ts';
import { addRebateRate, releaseRebates } from '#contract/rebates.ts';
import { pageReport } from '#contract/reports.ts';
import { markTestAccount } from '#contract/users.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { payReleased } from './pay-run.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const user = async () => (await buildUser(server.db, { balance: '1000' })).userId;
const markTest = (userId: number, testAccount: boolean) =>
  admin.call(markTestAccount, { userId, testAccount });

it('what is returned to an agent whose account is for tests is paid and counts in no report; a rebate goes by its slips', async () => {
  const game = await buildPastGame(server.db);
  const day = await pastDay(server.db, 1);
  const [real, forTests, player] = [await user(), await user(), await user()];
  const agent = async (userId: number, rate: string, parentId?: number) =>
    given(
      (await admin.call(addAgent, { name: `代理 ${userId}`, userId, rate, parentId, validFrom: day }))
        .envelope.data,
    );
  const top = await agent(real, '0.03');
  const leaf = await agent(forTests, '0.02', top);
  await admin.call(addRebateRate, { level: 0, categoryId: game.categoryId, rate: '0.005', validFrom: day });
  await game.play(day, [
    { userId: player, agents: [leaf, top], lines: [{ rules: 'first', selection: '9', unitStake: '100' }] },
  ]);
  await markTest(forTests, true);
  // The slip was a real one, and stands in the report.
  await markTest(player, true);
  await preparedRun(server.db, day);
  // What the account is by the time of the release, or later, is another matter.
  await markTest(forTests, false);
  await markTest(real, true);
  expect((await admin.call(releaseRebates, { day })).envelope.success).toBe(true);
  await payReleased(server.db);
  const totals = await Promise.all(
    [real, forTests, player].map(async (userId) => (await balanceOf(server.db, userId)).totalAmount),
  );
  expect(totals).toEqual(['1001.00', '1002.00', '900.50']);
  const report = async (groupBy: 'USER' | 'AGENT') =>
    given((await admin.call(pageReport, { groupBy, range: [day, day] })).envelope.data);
  const byUser = await report('USER');
  expect(byUser.totals).toMatchObject({ stake: '100.00', rebate: '1.50', result: '98.50' });
  const rebates = new Map(byUser.data.map(({ key, rebate }) => [Number(key), rebate]));
  expect([real, forTests, player].map((userId) => rebates.get(userId))).toEqual(['1.00', undefined, '0.50']);
  const byAgent = await report('AGENT');
  expect(new Map(byAgent.data.map(({ key, rebate }) => [Number(key), rebate]))).toEqual(
    new Map([
      [top, '1.50'],
      [leaf, '0.50'],
    ]),
  );
  expect(await proveBets(server.db)).toMatchObject({ broken: 0 });
});
