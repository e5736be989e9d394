import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { endOnlineSession, endOperatorSessions, pageOnlineSessions } from '#contract/online-sessions.ts';
import { login, refreshToken } from '#contract/sign-in.ts';
import { keepUses } from '#server/access/session-use-store.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let other: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  admin = await server.admin();
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
async function signIn(username: string, at = server) {
  const headers = { 'user-agent': AGENT, 'x-forwarded-for': '198.51.100.7' };
  const { data } = (await at.anonymous.call(login, { username, password: PASSWORD }, { headers })).envelope;
  if (!data) throw new Error('sign-in failed');
  return { ...data, client: server.withToken(data.access_token), there: other.withToken(data.access_token) };
}
const listed = async (userName: string, by = admin) =>
  (await by.call(pageOnlineSessions, { userName })).envelope.data?.data ?? [];
const codeOf = async (client: TestClient) => (await client.call(listCurrentMenus, {})).envelope.code;
const end = (id: string, by = admin) => by.call(endOnlineSession, { id });
const grants = ['/main/pms/online-session', 'pms:onlineSession:end'];

describe('the list', () => {
  it('says who is signed in, since when, from where and with what, and who of them is oneself', async () => {
    const { username, id } = await buildOperator(server.db);
    const { jti } = await signIn(username);
    expect(await listed(username)).toMatchObject([
      { id: jti, operatorId: id, userName: username, address: '198.51.100.7', agent: AGENT, current: false },
    ]);
    const own = (await listed('admin')).filter(({ current }) => current);
    expect(own).toHaveLength(1);
    const { client } = await signIn((await buildOperator(server.db, { grants })).username);
    expect((await listed(username, client)).map(({ outranks }) => outranks)).toEqual([false]);
    expect((await listed('admin', client)).every(({ outranks }) => outranks)).toBe(true);
    const { data } = (await admin.call(pageLoginRecords, { userName: username })).envelope;
    expect(data?.data).toMatchObject([{ outcome: 'SUCCESS', agent: AGENT }]);
  });

  it('tells when and from where a session was used last, on whichever server', async () => {
    const { username } = await buildOperator(server.db);
    const { there, jti } = await signIn(username);
    const [before] = await listed(username);
    expect(before?.lastUseTime).toBe(before?.createTime);
    await there.call(listCurrentMenus, {}, { headers: { 'x-forwarded-for': '198.51.100.99' } });
    await expect
      .poll(async () => (await listed(username))[0]?.lastAddress, { timeout: 30_000 })
      .toBe('198.51.100.99');
    const [after] = await listed(username);
    expect(after).toMatchObject({ address: '198.51.100.7' });
    expect(after?.lastUseTime.localeCompare(before?.createTime ?? '')).toBeGreaterThanOrEqual(0);
    // Another server may write down what it heard before only now.
    const earlier = { sessionId: jti, at: new Date(Date.now() - 60_000), address: '198.51.100.98' };
    await keepUses(server.db, [earlier]);
    expect(await listed(username)).toEqual([after]);
  });

  it('finds by parts of the name and the address', async () => {
    const { username } = await buildOperator(server.db, { username: `Part-${randomUUID()}` });
    await signIn(username);
    expect(await listed(username.slice(2, 20).toUpperCase())).toHaveLength(1);
    const from = async (address: string) =>
      (await admin.call(pageOnlineSessions, { userName: username, address })).envelope.data?.totalCount;
    expect(await from('198.51')).toBe(1);
    expect(await from('203.0')).toBe(0);
  });
});

describe('ending a session', () => {
  it('holds on every server within a second, and for its renewal; the operator’s other sessions go on', async () => {
    const { username } = await buildOperator(server.db);
    const [one, two] = [await signIn(username), await signIn(username, other)];
    expect([await codeOf(one.there), await codeOf(two.there)]).toEqual([200, 200]);
    const answer = await end(one.jti);
    const ended = performance.now();
    expect(answer.envelope).toMatchObject({ success: true, msg: '已下线' });
    expect(await codeOf(one.client)).toBe(401);
    await expect.poll(() => codeOf(one.there), { interval: 20 }).toBe(401);
    const ms = Math.round(performance.now() - ended);
    console.log(`a session ended on one server is over on the other after ${ms} ms`);
    expect(ms).toBeLessThan(1_000);
    const renewed = await other.anonymous.call(refreshToken, { refresh_token: one.refresh_token });
    expect(renewed.envelope.code).toBe(401);
    expect([await codeOf(two.client), await codeOf(two.there)]).toEqual([200, 200]);
    expect((await listed(username)).map(({ id }) => id)).toEqual([two.jti]);
  });

  it('is written down with whose it was', async () => {
    const { username, id } = await buildOperator(server.db);
    const { jti } = await signIn(username);
    await end(jti);
    const { data } = (await admin.call(pageChangeRecords, { targetId: jti })).envelope;
    expect(data?.data).toMatchObject([
      { summary: '下线', outcome: 'SUCCESS', before: { operatorId: id, userName: username } },
    ]);
  });

  it('is refused for one’s own, one that is over, one that never was, and one of who holds more', async () => {
    const { username } = await buildOperator(server.db, { grants });
    const { client, jti } = await signIn(username);
    expect((await end(jti, client)).envelope.msg).toBe('这是您本次的登录，请使用“退出”');
    const { username: overName } = await buildOperator(server.db);
    const over = await signIn(overName);
    await end(over.jti);
    expect((await end(over.jti)).envelope.msg).toBe('该登录已经结束');
    expect((await end(randomUUID())).envelope.msg).toBe('该登录已经结束');
    for (const id of ['not an id', over.jti.toUpperCase(), ` ${jti.toUpperCase()}`])
      expect((await end(id)).envelope).toMatchObject({ data: { errors: { id: '登录编号格式不正确' } } });
    expect(await codeOf(client)).toBe(200);
    const above = await buildOperator(server.db, { grants: [...grants, '/main/pms/role'] });
    const theirs = await signIn(above.username);
    expect((await end(theirs.jti, client)).envelope.msg).toBe('不能操作权限超出自己的对象');
    const all = await client.call(endOperatorSessions, { operatorId: above.id });
    expect(all.envelope.msg).toBe('不能操作权限超出自己的对象');
    expect(await codeOf(theirs.client)).toBe(200);
  });
});

describe('ending all of an operator’s sessions', () => {
  it('ends every one, on both servers', async () => {
    const { username, id } = await buildOperator(server.db);
    const sessions = [await signIn(username), await signIn(username, other), await signIn(username)];
    await Promise.all(sessions.map(({ there }) => codeOf(there)));
    const answer = await admin.call(endOperatorSessions, { operatorId: id });
    expect(answer.envelope).toMatchObject({ success: true, msg: `“${username}”的登录已全部下线` });
    for (const { client, there } of sessions) {
      expect(await codeOf(client)).toBe(401);
      await expect.poll(() => codeOf(there), { timeout: 1_000 }).toBe(401);
    }
    expect(await listed(username)).toEqual([]);
  });

  it('of one’s own leaves the one that asks', async () => {
    const { username, id } = await buildOperator(server.db, { grants });
    const [asking, beside] = [await signIn(username), await signIn(username)];
    await asking.client.call(endOperatorSessions, { operatorId: id });
    expect([await codeOf(asking.client), await codeOf(beside.client)]).toEqual([200, 401]);
  });
});
