import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getUserBalance } from '#contract/platform.ts';
import { publicSettings } from '#contract/sign-in.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { inParallel } from '#server/testing/parallel.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// More than an unknown caller of the console may send in a minute.
const MANY = 1_201;

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
});
afterAll(() => server.close());

it('the site may call as often as its players need, while unknown callers of the console are held back, each by a count of its own', async () => {
  const { userId: id } = await buildUser(server.db);
  const read = () => site.call(getUserBalance, { id });
  const answers = await inParallel(
    Array.from({ length: MANY }, () => read),
    16,
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

  const look = () => server.anonymous.call(publicSettings, {});
  const looks = await inParallel(
    Array.from({ length: MANY }, () => look),
    16,
  );
  const refused = looks.filter(({ status }) => status === 429);
  expect(looks.filter(({ status }) => status === 200)).toHaveLength(MANY - 1);
  expect(refused.map(({ envelope }) => [envelope.success, /[一-龥]/.test(envelope.msg ?? '')])).toEqual([
    [false, true],
  ]);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await read()).status).toBe(200);
});

it('the example client plays its evening against this server', async () => {
  const example = fileURLToPath(new URL('../../../docs/examples/platform-client.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [example, server.origin], {
    env: { ...process.env, PLATFORM_API_KEY: site.token },
  });
  const [user = '', deposit = '', again = '', entries = '', withdrawal = '', balance = ''] = stdout
    .trim()
    .split('\n');
  expect(user).toMatch(/^用户编号 \d+$/);
  expect(again.split(' ')[1]).toBe(deposit.split(' ')[1]);
  expect(JSON.parse(entries.slice(entries.indexOf('[')))).toMatchObject([
    { changeType: 'RECHARGE_GIVE', newAmount: '10.00' },
    { changeType: 'BET', newAmount: '6.00' },
    { changeType: 'WIN', newAmount: '13.84' },
  ]);
  expect(withdrawal).toMatch(/^提现订单 \d+$/);
  expect(JSON.parse(balance.slice(balance.indexOf('{')))).toMatchObject({
    totalAmount: '13.84',
    availableAmount: '8.84',
    freezeAmount: '5.00',
  });
});
