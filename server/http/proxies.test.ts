import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { createUser } from '#contract/platform.ts';
import { addRole } from '#contract/roles.ts';
import { startTestServer } from '#server/testing/test-server.ts';

const CHAIN = '203.0.113.5, 10.0.0.9';

it.each([
  ['this machine only, as by default', ['127.0.0.0/8', '::1'], '10.0.0.9'],
  ['this machine and the range of the proxy before it', ['127.0.0.0/8', '::1', '10.0.0.0/8'], '203.0.113.5'],
  ['another machine', ['192.0.2.1'], '127.0.0.1'],
])('X-Forwarded-For is believed from %s', async (_whom, trustedProxies, address) => {
  const server = await startTestServer({ trustedProxies });
  const admin = await server.admin();
  await admin.call(addRole, { desc: '代理', name: 'proxied' }, { headers: { 'x-forwarded-for': CHAIN } });
  const { data } = (await admin.call(pageChangeRecords, { summary: '新增角色' })).envelope;
  expect(data?.data[0]?.address.replace('::ffff:', '')).toBe(address);
  await server.close();
});

it('metrics and the description of the calls ask for the token where one is set, health does not', async () => {
  const metricsToken = randomBytes(24).toString('base64url');
  const server = await startTestServer({ metricsToken });
  const status = async (path: string, token?: string) => {
    const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(server.origin + path, { headers })).status;
  };
  for (const path of ['/metrics', '/api/openapi.json']) {
    expect(await status(path)).toBe(401);
    expect(await status(path, `${metricsToken}x`)).toBe(401);
    expect(await status(path, metricsToken)).toBe(200);
  }
  expect(await status('/healthz')).toBe(200);
  expect(await status('/readyz')).toBe(200);
  await server.close();
});

it('a wrong platform key is told so; nobody has to sign in again', async () => {
  const platformApiKey = randomBytes(32).toString('base64');
  const server = await startTestServer({ platformApiKey });
  const call = (token: string) => server.withToken(token).call(createUser, { nickName: '站点' });
  for (const wrong of ['', 'short', `${platformApiKey}x`, platformApiKey.toLowerCase()]) {
    const { status, envelope } = await call(wrong);
    expect(status).toBe(200);
    expect(envelope).toMatchObject({ success: false, code: 401, msg: '平台接口密钥缺失或不正确' });
  }
  expect((await call(platformApiKey)).envelope.success).toBe(true);
  await server.close();
});
