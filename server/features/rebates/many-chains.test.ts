import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAgent } from '#contract/agents.ts';
import { addRebateRate, releaseRebates } from '#contract/rebates.ts';
import { pageReport } from '#contract/reports.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
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

const user = async () => (await buildUser(server.db, { balance: '9000' })).userId;
const lost = (unitStake: string) => [{ rules: 'first' as const, selection: '9', unitStake }];

async function release(day: string) {
  await preparedRun(server.db, day);
  expect((await admin.call(releaseRebates, { day })).envelope.success).toBe(true);
  await payReleased(server.db);
}

/** What the report of a day has for each agent. */
async function byAgent(day: string): Promise<Map<number, string>> {
  const { data } = given(
    (await admin.call(pageReport, { groupBy: 'AGENT', range: [day, day] })).envelope.data,
  );
  return new Map(data.map(({ key, rebate }) => [Number(key), rebate]));
}

it('what somebody gets under several agents counts for each of them, of slips before an agent moved and after, and of two agents with one account', async () => {
  const { db } = server;
  const game = await buildPastGame(db);
  const [first, second, third] = [await pastDay(db, 3), await pastDay(db, 2), await pastDay(db, 1)];
  const [owner, leafOwner, player, other] = [await user(), await user(), await user(), await user()];
  const agent = async (userId: number, rate: string, parentId?: number) => {
    const input = { name: `代理 ${rate}`, userId, rate, parentId, validFrom: first };
    return given((await admin.call(addAgent, input)).envelope.data);
  };
  const one = await agent(owner, '0.03');
  const two = await agent(owner, '0.02');
  const leaf = await agent(leafOwner, '0.01', one);
  await admin.call(addRebateRate, {
    ...{ level: 0, categoryId: game.categoryId, rate: '0.005', validFrom: first },
  });
  const voidable = await game.play(first, [{ userId: player, agents: [leaf, one], lines: lost('100') }]);
  await game.play(first, [
    { userId: player, agents: [leaf, two], lines: lost('200') },
    { userId: other, agents: [two], lines: lost('50') },
  ]);
  await release(first);
  // The player gets 0.50 under one and 1 under two, the leaf's owner 1 and 2, the owner of both 2 and 2 of it and 1 besides.
  expect(await byAgent(first)).toEqual(
    new Map([
      [one, '3.50'],
      [two, '6.25'],
      [leaf, '4.50'],
    ]),
  );

  // What a correction takes back is taken off where it was counted, with the next that is paid: here one chain gets what another loses.
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  await db.transaction().execute((tx) => beginVoid(tx, voidable, act));
  await settleDue(db);
  await game.play(second, [{ userId: player, agents: [leaf, two], lines: lost('100') }]);
  await release(second);
  expect([...(await byAgent(second)).values()].filter((rebate) => rebate !== '0.00')).toEqual([]);
  await game.play(third, [{ userId: player, agents: [leaf, two], lines: lost('1000') }]);
  await release(third);
  expect(await byAgent(third)).toEqual(
    new Map([
      [one, '-3.50'],
      [two, '27.50'],
      [leaf, '15.00'],
    ]),
  );
  expect(await proveBets(db)).toMatchObject({ broken: 0 });
});
