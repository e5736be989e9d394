import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listCurrentMenus } from '#contract/menus.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { login, refreshToken } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function setDays(value: string): Promise<void> {
  const admin = await server.admin();
  const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
  const param = params.find(({ key }) => key === 'security.sessionDays');
  if (!param) throw new Error('no such parameter');
  expect((await admin.call(updateParamSetting, { ...param, value })).envelope.success).toBe(true);
}

/** A session as it is so long after its sign-in. */
async function sessionAged(age: string) {
  const { username } = await buildOperator(server.db);
  const { envelope } = await server.anonymous.call(login, { username, password: PASSWORD });
  if (!envelope.data) throw new Error('sign-in failed');
  const { jti } = envelope.data;
  await sql`update session set "createTime" = now() - ${age}::interval where id = ${jti}::uuid`.execute(
    server.db,
  );
  return envelope.data;
}
const renew = async (token: string) =>
  (await server.anonymous.call(refreshToken, { refresh_token: token })).envelope;

it('a session starts with the parameter’s seven days', async () => {
  const { jti } = await sessionAged('0');
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from "expireTime" - now()) / 86400)::int as days from refresh_token
    where "sessionId" = ${jti}::uuid`.execute(server.db);
  expect(rows).toEqual([{ days: 7 }]);
});

it('a renewal never reaches beyond the end, and after it there is none', async () => {
  const nearEnd = await sessionAged('6 days 23 hours 55 minutes');
  const renewed = await renew(nearEnd.refresh_token);
  expect(renewed.data?.expires_in).toBeGreaterThan(200);
  expect(renewed.data?.expires_in).toBeLessThanOrEqual(300);
  // Whose answer was lost, and comes again, is told the same.
  const again = await renew(nearEnd.refresh_token);
  expect(again.data?.access_token).toBe(renewed.data?.access_token);
  expect(again.data?.expires_in).toBeLessThanOrEqual(300);
  const { rows } = await sql<{ refreshSeconds: number }>`
    select extract(epoch from "expireTime" - now())::int as "refreshSeconds" from refresh_token
    where "sessionId" = ${nearEnd.jti}::uuid and "spendTime" is null`.execute(server.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.refreshSeconds).toBeLessThanOrEqual(300);
  const over = await sessionAged('7 days 1 second');
  expect(await renew(over.refresh_token)).toMatchObject({ success: false, code: 401 });
});

it('the access token of the last renewal dies with the session', async () => {
  const { refresh_token } = await sessionAged('6 days 23 hours 59 minutes 58 seconds');
  const token = (await renew(refresh_token)).data?.access_token ?? '';
  const lives = async () => (await server.withToken(token).call(listCurrentMenus, {})).envelope.code === 200;
  expect(await lives()).toBe(true);
  await expect.poll(lives, { timeout: 5_000 }).toBe(false);
});

it('the parameter counts as it is when the token is renewed; 0 is no end', async () => {
  const old = await sessionAged('40 days');
  await setDays('0');
  expect((await renew(old.refresh_token)).success).toBe(true);
  const aged = await sessionAged('2 days');
  await setDays('1');
  expect((await renew(aged.refresh_token)).code).toBe(401);
  await setDays('7');
});
