import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { getOwnGoogleKey } from '#contract/google-keys.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import {
  disableOperator,
  enableOperator,
  listOperators,
  resetGoogleKey,
  resetOperatorPassword,
} from '#contract/operators.ts';
import { addRole } from '#contract/roles.ts';
import { changePassword } from '#contract/security.ts';
import { login, logout, refreshToken } from '#contract/sign-in.ts';
import { openSession } from '#server/features/sign-in/token-store.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const TEMPORARY = 'given by somebody else';
const OWN = 'chosen by oneself';
const signIn = (username: string, password = PASSWORD, at = server) =>
  at.anonymous.call(login, { username, password });
const rowOf = async (userName: string) =>
  (await (await server.admin()).call(listOperators, { userName })).envelope.data?.[0];
const DISABLED = { success: false, code: 400, msg: '您的账号已停用，请联系管理员' };

async function signedIn(grants: readonly string[] = []) {
  const operator = await buildOperator(server.db, { grants });
  const token = (await signIn(operator.username)).envelope.data;
  if (!token) throw new Error('sign-in failed');
  return { ...operator, token, client: server.withToken(token.access_token) };
}

describe('a disabled operator', () => {
  it('has no session left on any server within a second, and no renewal', async () => {
    const { id, token } = await signedIn();
    const elsewhere = other.withToken(token.access_token);
    expect((await elsewhere.call(listCurrentMenus, {})).envelope.success).toBe(true);
    const answer = await (await server.admin()).call(disableOperator, { id });
    const disabled = performance.now();
    expect(answer.envelope).toMatchObject({ success: true, msg: '已停用' });
    expect((await server.withToken(token.access_token).call(listCurrentMenus, {})).envelope.code).toBe(401);
    await expect
      .poll(async () => (await elsewhere.call(listCurrentMenus, {})).envelope.code, { interval: 20 })
      .toBe(401);
    const ms = Math.round(performance.now() - disabled);
    console.log(`a disabled operator's session is over on the other server after ${ms} ms`);
    expect(ms).toBeLessThan(1_000);
    const { envelope } = await other.anonymous.call(refreshToken, { refresh_token: token.refresh_token });
    expect(envelope.code).toBe(401);
  });

  it('is told so after the right password only, and the log has it', async () => {
    const { id, username } = await buildOperator(server.db);
    const admin = await server.admin();
    await admin.call(disableOperator, { id });
    expect((await signIn(username, 'wrong')).envelope.msg).toBe('账号、密码或谷歌验证码错误');
    expect((await signIn(username)).envelope).toMatchObject(DISABLED);
    expect((await signIn(username, PASSWORD, other)).envelope).toMatchObject(DISABLED);
    const { data } = (await admin.call(pageLoginRecords, { userName: username, outcome: 'HELD' })).envelope;
    expect(data?.data).toMatchObject([{ operatorId: id, msg: DISABLED.msg }, { operatorId: id }]);
    expect(await rowOf(username)).toMatchObject({ disabled: true, lastLoginTime: null });
  });

  it('comes back with everything when enabled, but for the sessions of before', async () => {
    const { id, username, token } = await signedIn(['/main/pms/role', 'pms:role:add']);
    const admin = await server.admin();
    await admin.call(disableOperator, { id });
    // A sign-in that was under way then.
    const late = await openSession(server.db, id, { address: '', agent: '' });
    expect((await admin.call(enableOperator, { id })).envelope).toMatchObject({
      success: true,
      msg: '已启用',
    });
    for (const { access_token } of [token, late])
      expect((await server.withToken(access_token).call(listCurrentMenus, {})).envelope.code).toBe(401);
    const again = await server.as(username, PASSWORD);
    const name = `role-${randomUUID()}`;
    expect((await again.call(addRole, { desc: '新', name })).envelope.success).toBe(true);
    const { data } = (await admin.call(pageChangeRecords, { summary: '启用操作员' })).envelope;
    expect(data?.data[0]).toMatchObject({
      targetId: String(id),
      before: { userName: username, disabled: true },
      after: { userName: username, disabled: false },
    });
  });

  it('that was disabled or enabled already is said, and nothing changes', async () => {
    const { id } = await buildOperator(server.db);
    const admin = await server.admin();
    expect((await admin.call(enableOperator, { id })).envelope.msg).toBe('该操作员未停用');
    await admin.call(disableOperator, { id });
    expect((await admin.call(disableOperator, { id })).envelope.msg).toBe('该操作员已停用');
    expect((await admin.call(disableOperator, { id: 999_999 })).envelope.msg).toBe('记录不存在');
  });

  it('is never oneself, nor one who holds more', async () => {
    const grants = ['/main/pms/operator', 'pms:operator:disable', 'pms:operator:resetPassword'];
    const { id, client } = await signedIn(grants);
    const above = await buildOperator(server.db, { grants: [...grants, '/main/pms/role'] });
    expect((await client.call(disableOperator, { id })).envelope.msg).toBe('不能停用自己');
    const outranked = '不能操作权限超出自己的对象';
    expect((await client.call(disableOperator, { id: above.id })).envelope.msg).toBe(outranked);
    const reset = await client.call(resetOperatorPassword, { id: above.id, password: TEMPORARY });
    expect(reset.envelope.msg).toBe(outranked);
    expect((await signIn(above.username)).envelope.success).toBe(true);
  });

  it('does not count as one with full rights: of the last two who disable each other one remains', async () => {
    const alone = await startTestServer();
    try {
      const grants = await allGrants(alone.db);
      const two = await buildOperator(alone.db, { grants });
      const admin = await alone.admin();
      const [adminRow] = (await admin.call(listOperators, { userName: 'admin' })).envelope.data ?? [];
      const second = await alone.as(two.username, PASSWORD);
      const answers = await Promise.all([
        admin.call(disableOperator, { id: two.id }),
        second.call(disableOperator, { id: given(adminRow?.id) }),
      ]);
      expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    } finally {
      await alone.close();
    }
  });
});

describe('a password that was reset', () => {
  async function reset() {
    const operator = await signedIn(['/main/pms/role', 'pms:role:add']);
    const admin = await server.admin();
    const { envelope } = await admin.call(resetOperatorPassword, { id: operator.id, password: TEMPORARY });
    expect(envelope.success).toBe(true);
    return operator;
  }

  it('ends the sessions and replaces the old one, on every server', async () => {
    const { username, token } = await reset();
    expect((await server.withToken(token.access_token).call(listCurrentMenus, {})).envelope.code).toBe(401);
    expect((await signIn(username)).envelope.msg).toBe('账号、密码或谷歌验证码错误');
    expect((await signIn(username, TEMPORARY, other)).envelope.success).toBe(true);
    expect(await rowOf(username)).toMatchObject({ passwordTemporary: true });
  });

  it('opens nothing but its own change and the way out, whatever is tried, with commands told in the record', async () => {
    const { username } = await reset();
    const client = await server.as(username, TEMPORARY);
    const first = { status: 200, code: 412, msg: '您的密码由他人设置，请先修改密码' };
    for (const [call, input] of [
      [listCurrentMenus, {}],
      [getOwnGoogleKey, {}],
      [addRole, { desc: '新', name: `role-${randomUUID()}` }],
    ] as const) {
      const { status, envelope } = await client.call(call, input);
      expect({ status, code: envelope.code, msg: envelope.msg }).toEqual(first);
    }
    const admin = await server.admin();
    const { data } = (await admin.call(pageChangeRecords, { userName: username })).envelope;
    expect(data?.data[0]).toMatchObject({ call: 'addRole', outcome: 'DENIED', msg: first.msg });
    expect((await client.call(logout, {})).envelope.success).toBe(true);
  });

  it('is changed by its operator, in a session that goes on and may do everything again', async () => {
    const { username } = await reset();
    const client = await server.as(username, TEMPORARY);
    const form = (newPassword: string) => ({ oldPassword: TEMPORARY, newPassword, newConfirm: newPassword });
    expect((await client.call(changePassword, form(TEMPORARY))).envelope.msg).toBe('新密码不能与旧密码相同');
    expect((await client.call(changePassword, form(OWN))).envelope.success).toBe(true);
    const name = `role-${randomUUID()}`;
    expect((await client.call(addRole, { desc: '新', name })).envelope.success).toBe(true);
    expect(await rowOf(username)).toMatchObject({ passwordTemporary: false });
    expect((await signIn(username, OWN, other)).envelope.success).toBe(true);
  });

  it('is changed at once by who was shut out for wrong ones of the password before', async () => {
    const { id, username, client: before } = await signedIn();
    const form = (oldPassword: string) => ({ oldPassword, newPassword: OWN, newConfirm: OWN });
    for (let n = 0; n < 5; n++) await before.call(changePassword, form(`wrong ${n}`));
    expect((await before.call(changePassword, form(PASSWORD))).status).toBe(429);
    await (await server.admin()).call(resetOperatorPassword, { id, password: TEMPORARY });
    const client = await server.as(username, TEMPORARY);
    expect((await client.call(changePassword, form(TEMPORARY))).envelope.msg).toBe('密码修改成功');
  });

  it('is refused when it is a common one, the user name, one’s own, or nobody’s', async () => {
    const admin = await server.admin();
    const { id, username } = await buildOperator(server.db);
    const refusal = async (to: number, password: string) =>
      (await admin.call(resetOperatorPassword, { id: to, password })).envelope;
    expect(await refusal(id, 'password123')).toMatchObject({
      data: { errors: { password: '密码过于常见，请换一个' } },
    });
    expect((await refusal(id, `${username}!`)).msg).toBe('密码不能包含用户名');
    expect((await refusal(id, 'short')).msg).toContain('至少需要 8 个字符');
    expect((await refusal(999_999, TEMPORARY)).msg).toBe('记录不存在');
    const [self] = (await admin.call(listOperators, { userName: 'admin' })).envelope.data ?? [];
    expect((await refusal(given(self?.id), TEMPORARY)).msg).toBe('请在安全中心修改自己的密码');
    expect((await signIn(username)).envelope.success).toBe(true);
  });
});

it('the list tells of the last sign-in, when and from where, and of the second factor', async () => {
  const { id, username } = await buildOperator(server.db);
  expect(await rowOf(username)).toMatchObject({ lastLoginTime: null, lastLoginAddress: null });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await server.anonymous.call(login, { username, password: PASSWORD }, { headers });
  expect(await rowOf(username)).toMatchObject({
    lastLoginTime: expect.stringMatching(/^\d{4}-/),
    lastLoginAddress: '203.0.113.9',
    hasGoogleKey: false,
    disabled: false,
  });
  await (await server.admin()).call(resetGoogleKey, { id });
  expect((await rowOf(username))?.hasGoogleKey).toBe(true);
});
