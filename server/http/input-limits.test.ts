import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageAccounts } from '#contract/accounts.ts';
import { isOutsized } from '#contract/exact-json.ts';
import { listOperators } from '#contract/operators.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const post = async (body: string, headers: Record<string, string> = {}, path = '/api/pms/role/list') =>
  rawRequest(server.origin, {
    method: 'POST',
    path,
    body,
    headers: {
      authorization: `Bearer ${(await server.admin()).token}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
const envelopeOf = (status: number, msg: string) => ({
  status,
  envelope: { success: false, msg, data: null, code: status },
});

describe('limits of a request', () => {
  it('1 MiB + 1 of body is HTTP 413', async () => {
    const padding = 1_048_577 - '{"desc":""}'.length;
    expect(await post(`{"desc":"${'x'.repeat(padding)}"}`)).toMatchObject(envelopeOf(413, '提交的内容过大'));
  });

  it('a packed body is not unpacked: what is small on the wire may be anything inside', async () => {
    const packed = gzipSync(JSON.stringify({ desc: 'x'.repeat(100_000_000) })).toString('latin1');
    const answer = await post(packed, { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject(envelopeOf(400, '请求方式不支持或参数错误'));
  });

  it('headers over 16 KiB are HTTP 431, and unreadable HTTP is 400, each an envelope', async () => {
    expect(await post('{}', { 'x-long': 'x'.repeat(17_000) })).toMatchObject(envelopeOf(431, '请求头过大'));
    const { hostname, port } = new URL(server.origin);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NOT HTTP AT ALL\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('utf8');
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('请求方式不支持或参数错误');
  });

  it('what nobody signed in for is short: 16 KiB of body, and HTTP 413 above', async () => {
    const login = (password: string) =>
      post(JSON.stringify({ username: 'nobody', password }), {}, '/api/login');
    expect(await login('x'.repeat(16_384))).toMatchObject(envelopeOf(413, '提交的内容过大'));
    expect((await login('x'.repeat(16_000))).envelope).toMatchObject({
      code: 400,
      msg: '登录密码不能超过 255 个字符',
    });
  });

  it('a list of ids that is too long is not looked at to its end', async () => {
    const list = [
      ...Array.from({ length: 10_001 }, (_, at) => at + 1),
      ...Array.from({ length: 30_000 }, () => 'x'),
    ];
    const { envelope } = await post(JSON.stringify(list), {}, '/api/pms/operator/bindRoles/1');
    expect(envelope).toMatchObject({ success: false, code: 400, msg: '角色不能超过 10000 项' });
  });

  it.each([
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['an expectation of its own', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n'],
  ])('a request with %s is HTTP 400 with an envelope', async (_what, request) => {
    const { hostname, port } = new URL(server.origin);
    const socket = connect(Number(port), hostname, () => socket.write(request)).setEncoding('utf8');
    const [text] = (await once(socket, 'data')) as [string];
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('请求方式不支持或参数错误');
  });

  it.each([
    ['50,001 values', `{"desc":[${'1,'.repeat(50_000)}1]}`, 'application/json'],
    ['400,000 levels of nesting', `${'['.repeat(400_000)}${']'.repeat(400_000)}`, 'application/json'],
    ['broken JSON', '{"desc":', 'application/json'],
    ['an array where an object is due', '[1]', 'application/json'],
    ['plain text', 'desc=x', 'text/plain'],
    ['XML', '<x/>', 'application/xml'],
  ])('%s is HTTP 400', async (_name, body, type) => {
    expect(await post(body, { 'content-type': type })).toMatchObject(
      envelopeOf(400, '请求方式不支持或参数错误'),
    );
  });

  it.each([
    ['JSON', 'application/json', Buffer.from([...Buffer.from('{"desc":"'), 0xff, ...Buffer.from('"}')])],
    ['a form', 'application/x-www-form-urlencoded', Buffer.from([...Buffer.from('desc='), 0xb9, 0xab])],
    ['the escapes of a form', 'application/x-www-form-urlencoded', Buffer.from('desc=%B9%AB')],
  ])('%s that is no UTF-8 is HTTP 400', async (_what, type, body) => {
    const headers = { authorization: `Bearer ${(await server.admin()).token}`, 'content-type': type };
    const answer = await fetch(`${server.origin}/api/pms/role/list`, { method: 'POST', headers, body });
    expect([answer.status, (await answer.json()).msg]).toEqual([400, '请求方式不支持或参数错误']);
  });

  it('a query string that is no UTF-8 is HTTP 400, and moves no money', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db);
    const [account] = (await admin.call(pageAccounts, { userId })).envelope.data?.data ?? [];
    const credit = async (remark: string) => {
      const path = `/api/user/account/addBalance/${account?.id}/5?remark=${remark}`;
      const headers = { authorization: `Bearer ${admin.token}` };
      const answer = await fetch(server.origin + path, { headers });
      return [answer.status, (await answer.json()).msg];
    };
    expect(await credit('%B2%B9%B7%A2')).toEqual([400, '请求方式不支持或参数错误']);
    expect(await credit('%E8%A1%A5%E5%8F%91+100%25')).toEqual([200, '操作成功']);
    const { data } = (await admin.call(pageAccountHistory, { userId })).envelope.data ?? {};
    expect(data?.map(({ amount, desc }) => [amount, desc])).toEqual([['5.00', '操作员 admin：补发 100%']]);
  });

  it('a replacement sign that somebody typed is a character like any other', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('desc=%EF%BF%BD', form)).envelope).toMatchObject({ success: true, data: [] });
    expect((await post('{"desc":"\uFFFD"}')).envelope).toMatchObject({ success: true, data: [] });
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    '%s in a body is ignored and pollutes nothing',
    async (key) => {
      const { envelope } = await post(`{"${key}":{"polluted":true},"desc":"无此角色"}`);
      expect(envelope).toMatchObject({ success: true, data: [] });
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  it('100,000 form fields do not reach a handler', async () => {
    const form = Array.from({ length: 100_000 }, (_, i) => `k${i}=1`)
      .join('&')
      .slice(0, 1_000_000);
    const { envelope } = await post(form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(envelope?.success).toBe(true);
  });

  it('both encodings say the same, and an empty body is no fields', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const range = 'createDateRange=2020-01-01+00%3A00%3A00&createDateRange=2099-01-01+00%3A00%3A00';
    const asForm = await post(`${range}&desc=&name=administrator`, form);
    const asJson = await post(
      '{"createDateRange":["2020-01-01 00:00:00","2099-01-01 00:00:00"],"desc":"","name":"administrator"}',
    );
    expect(asForm.text).toBe(asJson.text);
    expect(asForm.envelope?.data).toHaveLength(1);
    expect((await post('')).envelope?.success).toBe(true);
  });

  it('refuses a reversed range and a bad date in Chinese', async () => {
    const { envelope } = await post('{"createDateRange":["2026-01-02 00:00:00","2026-01-01 00:00:00"]}');
    expect(envelope).toMatchObject({ success: false, code: 400, msg: '创建时间的开始不能晚于结束' });
    expect(
      (await post('{"createDateRange":["2026-02-30 00:00:00","2026-03-01 00:00:00"]}')).envelope,
    ).toMatchObject({ success: false, code: 400 });
  });

  it('answers unknown paths with the catalogue’s 404', async () => {
    expect(await post('{}', {}, '/api/pms/role/nothing')).toMatchObject(envelopeOf(404, '找不到页面'));
    expect(await post('{}', {}, '/api/%zz')).toMatchObject(envelopeOf(404, '找不到页面'));
  });

  it.each(['PUT', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK'])(
    '%s is HTTP 400 where there is a call, and 404 elsewhere',
    async (method) => {
      const asked = (path: string) => rawRequest(server.origin, { method, path });
      for (const path of ['/api/login', '/api/pms/role/deleteById/7?x=1', '/open/v1/users'])
        expect(await asked(path)).toMatchObject(envelopeOf(400, '请求方式不支持或参数错误'));
      expect(await asked('/api/pms/role/nothing')).toMatchObject(envelopeOf(404, '找不到页面'));
    },
  );

  it('counts nesting outside of strings only', () => {
    expect(isOutsized('{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}')).toBe(false);
    expect(isOutsized(`{"a":"\\"${'['.repeat(40)}"}`)).toBe(false);
    expect(isOutsized('['.repeat(32))).toBe(false);
    expect(isOutsized('['.repeat(33))).toBe(true);
  });

  it('counts values outside of strings only', () => {
    expect(isOutsized(`["${','.repeat(60_000)}"]`)).toBe(false);
    expect(isOutsized(`[${'1,'.repeat(49_999)}1]`)).toBe(false);
    expect(isOutsized(`[${'1,'.repeat(50_000)}1]`)).toBe(true);
  });

  it('sends no envelope into any cache and the headers a browser should have', async () => {
    const admin = await server.admin();
    const { headers } = await admin.call(listOperators, {});
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });
});
