import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { approvalIdOf, getApprovalState, releaseApproval } from '#contract/approvals.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { fullOperator, waiting } from '#server/testing/approving.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// Two servers over one database, each of which remembers whether approvals are in force.
let here: TestServer;
let elsewhere: TestServer;
beforeAll(async () => {
  here = await startTestServer();
  elsewhere = await startTestServer({}, here.database);
});
afterAll(async () => {
  await elsewhere?.close();
  await here?.close();
});

async function turn(client: TestClient, value: 'true' | 'false') {
  const params = (await client.call(listParamSettings, {})).envelope.data ?? [];
  const param = params.find(({ key }) => key === 'approval.enabled');
  if (!param) throw new Error('no parameter');
  return client.call(updateParamSetting, { ...param, value });
}

const waits = async (client: TestClient, id: number): Promise<boolean> =>
  approvalIdOf((await client.call(addBalance, { id, balance: '1' })).envelope.data) !== undefined;

/** Keeps both servers asking, so that what they remember is always as young as it may be. */
async function whileAsked<T>(clients: readonly TestClient[], work: () => Promise<T>): Promise<T> {
  let over = false;
  const asking = clients.map(async (client) => {
    while (!over) {
      await client.call(getApprovalState, {});
      await sleep(20);
    }
  });
  try {
    return await work();
  } finally {
    over = true;
    await Promise.all(asking);
  }
}

/** What is asked for a second from now on at the latest is answered so, however slow the machine. */
async function expectWithinASecond(ask: () => Promise<boolean>, wanted: boolean): Promise<void> {
  const from = performance.now();
  for (;;) {
    const asked = performance.now();
    const found = await ask();
    if (found === wanted) return;
    expect(asked - from, 'milliseconds later it was still not in force').toBeLessThan(1_000);
  }
}

it('whoever turns approvals on meets them with the next call, on whichever server; and so when they are off again', async () => {
  const { accountId } = await buildUser(here.db);
  const second = await fullOperator(here);
  const admin = await here.admin();
  const adminElsewhere = await elsewhere.admin();
  const secondElsewhere = elsewhere.withToken(second.client.token);
  await whileAsked([admin, adminElsewhere], async () => {
    for (const [client, other] of [
      [admin, adminElsewhere],
      [adminElsewhere, admin],
    ] as const) {
      expect(await waits(client, accountId)).toBe(false);
      expect(await waits(other, accountId)).toBe(false);
      expect((await turn(client, 'true')).envelope.success).toBe(true);
      expect(await Promise.all([waits(other, accountId), waits(client, accountId)])).toEqual([true, true]);
      const off = waiting(await turn(client, 'false'));
      const released = await secondElsewhere.call(releaseApproval, { id: off, reason: '演练结束' });
      expect(released.envelope.success).toBe(true);
      expect(await waits(adminElsewhere, accountId)).toBe(false);
      await expectWithinASecond(() => waits(admin, accountId), false);
    }
  });
});

it('what is written by anybody else is in force on every server within a second', async () => {
  const { accountId } = await buildUser(here.db);
  const clients = [await here.admin(), await elsewhere.admin()];
  const write = (value: string) =>
    here.db.updateTable('param_setting').set({ value }).where('key', '=', 'approval.enabled').execute();
  await whileAsked(clients, async () => {
    for (const value of ['true', 'false']) {
      await write(value);
      for (const client of clients)
        await expectWithinASecond(() => waits(client, accountId), value === 'true');
    }
  });
});
