import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { createUser } from '#contract/platform.ts';
import { addRole } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
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

it.each([
  ['a port behind it', '203.0.113.5:49152', '203.0.113.5'],
  ['brackets and a port', '[2001:db8::7]:443', '2001:db8::7'],
  ['something that is no address', '=cmd"><script>', '127.0.0.1'],
  ['a number, which some read as an address', '3405803783', '127.0.0.1'],
  ['eight thousand characters', 'x'.repeat(8_000), '127.0.0.1'],
])('an address told with %s', async (_how, told, address) => {
  const server = await startTestServer();
  const headers = { 'x-forwarded-for': told };
  const guess = { username: 'nobody', password: 'guessed-wrong' };
  expect((await server.anonymous.call(login, guess, { headers })).envelope).toMatchObject({ code: 400 });
  const { data } = (await (await server.admin()).call(pageLoginRecords, { userName: 'nobody' })).envelope;
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
