import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  activateChatSession,
  addChatSession,
  deleteChatSession,
  getChatSession,
  listMyChatSessions,
  loginChatByCode,
  loginChatByPassword,
  loginChatByPhone,
  logoutChatSession,
  resendChatCode,
} from '#contract/chat-sessions.ts';
import { deleteOperator } from '#contract/operators.ts';
import type { Config } from '#server/config.ts';
import { addUser } from '#server/features/users/user-store.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { type TdDouble, tdDouble } from '#server/testing/td-double.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { LEASE_SECONDS } from './chat-lease-rules.ts';
import { releaseSession } from './chat-lease-store.ts';
import { insertSession, saveShown } from './chat-session-store.ts';
import { createHolderKey } from './holder-key.ts';

const telegram = { apiId: 1, apiHash: '0123456789abcdef0123456789abcdef' };
const accounts = {
  8613800138000: { code: '24680' },
  8613800138001: { code: '13579', password: 'Canary-second-password' },
  8613800138002: { code: '1', registered: false },
  8613800138003: { code: '1', elsewhere: true },
  8613800138004: { code: '1', emailCode: '606060' },
  8613800138005: { code: '1', error: 'FLOOD_WAIT_42' },
  8613800138006: { code: '1', error: 'Too Many Requests: retry after 7' },
  8613800138007: { code: '1', error: 'PHONE_NUMBER_BANNED' },
};

let database: TestDatabase;
let player: number;
let folder: string;
let double: TdDouble;
let servers: TestServer[];
beforeAll(async () => {
  database = await testDatabase();
  player = given(await addUser(database.db, { nickName: '玩家' }));
});
afterAll(() => database.drop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chat-'));
  double = tdDouble(accounts);
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.db.deleteFrom('chat_session').execute();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir = folder, overrides: Partial<Config> = {}): Promise<TestServer> {
  const loadChatLibrary = () => Promise.resolve(double.library);
  const server = await startTestServer({ telegram, dataDir, ...overrides }, database, {
    loadChatLibrary,
  });
  servers.push(server);
  return server;
}
async function stop(server: TestServer): Promise<void> {
  servers = servers.filter((each) => each !== server);
  await server.close();
}

const added = async (client: TestClient): Promise<number> =>
  given((await client.call(addChatSession, { userId: player })).envelope.data);
const stateOf = async (client: TestClient, id: number) =>
  (await client.call(getChatSession, { id })).envelope.data?.authState;
const reaches = (client: TestClient, id: number, name: string) =>
  expect.poll(() => stateOf(client, id), { timeout: 30_000, interval: 30 }).toBe(`AuthorizationState${name}`);

/** A session of the client, signed in. */
async function signedIn(client: TestClient): Promise<number> {
  const id = await added(client);
  await client.call(activateChatSession, { sessionId: id });
  await client.call(loginChatByPhone, { id, phone: '+86 138-0013-8000' });
  await client.call(loginChatByCode, { id, code: '24680' });
  await reaches(client, id, 'Ready');
  return id;
}

describe('signing in to a chat account', () => {
  it('goes from phone over code and second password to ready', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    expect((await admin.call(getChatSession, { id })).envelope.data).toEqual({
      id,
      userId: player,
      phone: null,
      clientId: null,
      lastActivityTime: null,
      authState: null,
      detail: null,
    });
    expect((await admin.call(activateChatSession, { sessionId: id })).envelope.success).toBe(true);
    await reaches(admin, id, 'WaitPhoneNumber');
    await admin.call(loginChatByPhone, { id, phone: '+8613800138001' });
    await reaches(admin, id, 'WaitCode');
    const waiting = (await admin.call(getChatSession, { id })).envelope.data;
    expect(waiting).toMatchObject({
      phone: '+8613800138001',
      detail: '验证码已发到该账号已登录的 Telegram 应用里，60 秒后可重新发送',
    });
    expect(waiting?.clientId).toMatch(/^[0-9a-f]{12}$/);
    await admin.call(loginChatByCode, { id, code: '13579' });
    await reaches(admin, id, 'WaitPassword');
    await admin.call(loginChatByPassword, { id, password: 'Canary-second-password' });
    await reaches(admin, id, 'Ready');
    expect((await admin.call(listMyChatSessions, {})).envelope.data).toMatchObject([
      { id, authState: 'AuthorizationStateReady', detail: null, lastActivityTime: expect.any(String) },
    ]);
  });

  it('says in plain Chinese, at its field, what was wrong, and goes on from there', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    const phones = {
      '123': '手机号无效，请连同国家代码填写，例如 +8613800138000',
      '+999123456789': '手机号无效，请连同国家代码填写，例如 +8613800138000',
      '+8613800138005': '操作过于频繁，请 42 秒后再试',
      '+8613800138006': '操作过于频繁，请 7 秒后再试',
      '+8613800138007': '该手机号已被 Telegram 封禁',
    };
    for (const [phone, msg] of Object.entries(phones))
      expect((await admin.call(loginChatByPhone, { id, phone })).envelope).toMatchObject({
        success: false,
        code: 400,
        msg,
        data: { errors: { phone: msg } },
      });
    await admin.call(loginChatByPhone, { id, phone: '+8613800138001' });
    expect((await admin.call(loginChatByCode, { id, code: '00000' })).envelope).toMatchObject({
      msg: '验证码错误',
      data: { errors: { code: '验证码错误' } },
    });
    await admin.call(loginChatByCode, { id, code: '13579' });
    expect((await admin.call(loginChatByPassword, { id, password: 'nope' })).envelope).toMatchObject({
      msg: '二级密码错误',
      data: { errors: { password: '二级密码错误' } },
    });
    expect((await admin.call(loginChatByCode, { id, code: '13579' })).envelope.msg).toBe(
      '会话当前状态是“等待二级密码”，不能提交验证码',
    );
  });

  it('sends the code again and lets the number be changed', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    await admin.call(loginChatByPhone, { id, phone: '+8613800138001' });
    expect((await admin.call(resendChatCode, { id })).envelope.msg).toBe('验证码已重新发送');
    await expect
      .poll(async () => (await admin.call(getChatSession, { id })).envelope.data?.detail)
      .toBe('验证码已用短信发送');
    await admin.call(loginChatByPhone, { id, phone: '+8613800138000' });
    await admin.call(loginChatByCode, { id, code: '24680' });
    await reaches(admin, id, 'Ready');
    expect((await admin.call(getChatSession, { id })).envelope.data?.phone).toBe('+8613800138000');
  });

  it.each([
    ['+8613800138002', 'WaitRegistration', '该手机号尚未注册 Telegram，请先在手机上注册，或更换手机号'],
    ['+8613800138003', 'WaitOtherDeviceConfirmation', '请在已登录该账号的其他设备上确认这次登录'],
    ['+8613800138004', 'WaitEmailCode', '验证码已发到邮箱 a***@b.example'],
  ])('says what to do when %s leads to %s', async (phone, state, detail) => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    await admin.call(loginChatByPhone, { id, phone });
    await reaches(admin, id, state);
    expect((await admin.call(getChatSession, { id })).envelope.data?.detail).toBe(detail);
  });

  it('takes a code that came by e-mail', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    await admin.call(loginChatByPhone, { id, phone: '+8613800138004' });
    await admin.call(loginChatByCode, { id, code: '606060' });
    await reaches(admin, id, 'Ready');
  });

  it('without an API id says so and breaks nothing else', async () => {
    const admin = await (await start(folder, { telegram: null })).admin();
    const id = await added(admin);
    expect((await admin.call(activateChatSession, { sessionId: id })).envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '尚未配置 TELEGRAM_API_ID 与 TELEGRAM_API_HASH，不能登录会话，请联系系统管理员',
    });
    expect((await admin.call(loginChatByPhone, { id, phone: '+8613800138000' })).envelope.msg).toBe(
      '会话尚未启动，请先点击“去登录”',
    );
    expect((await admin.call(listMyChatSessions, {})).envelope.data).toHaveLength(1);
    expect((await admin.call(deleteChatSession, { id })).envelope.success).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('without network says so in time and stays responsive', async () => {
    double.online = false;
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    expect((await admin.call(getChatSession, { id })).envelope.data).toMatchObject({
      authState: 'AuthorizationStateWaitPhoneNumber',
      detail: '正在连接 Telegram 服务器；若一直连不上，请检查服务器的网络',
    });
    const asked = performance.now();
    const sent = admin.call(loginChatByPhone, { id, phone: '+8613800138000' });
    expect((await admin.call(listMyChatSessions, {})).envelope.data).toHaveLength(1);
    expect((await sent).envelope.msg).toBe('连不上 Telegram 服务器，请检查服务器的网络后再试');
    expect(performance.now() - asked).toBeLessThan(12_000);
  });
});

describe('a session', () => {
  it('is added for a player there is', async () => {
    const admin = await (await start()).admin();
    expect((await admin.call(addChatSession, { userId: 987_654 })).envelope).toMatchObject({
      success: false,
      msg: '记录不存在',
      data: { errors: { userId: '记录不存在' } },
    });
  });

  it('is its operator’s own', async () => {
    const server = await start();
    const admin = await server.admin();
    const { username } = await buildOperator(server.db, {
      grants: ['/main/session/my-session', '/main/user/user'],
    });
    const other = await server.as(username, PASSWORD);
    const id = await added(admin);
    expect((await other.call(listMyChatSessions, {})).envelope.data).toEqual([]);
    const answers = await Promise.all([
      other.call(getChatSession, { id }),
      other.call(activateChatSession, { sessionId: id }),
      other.call(loginChatByPhone, { id, phone: '+8613800138000' }),
      other.call(loginChatByCode, { id, code: '1' }),
      other.call(loginChatByPassword, { id, password: '1' }),
      other.call(resendChatCode, { id }),
      other.call(logoutChatSession, { id }),
      other.call(deleteChatSession, { id }),
    ]);
    for (const { envelope } of answers) expect(envelope).toMatchObject({ success: false, msg: '记录不存在' });
    expect(double.running()).toBe(0);
  });

  it('is still signed in after the server was restarted', async () => {
    const first = await start();
    const id = await signedIn(await first.admin());
    await stop(first);
    expect(double.running()).toBe(0);
    const second = await start();
    await expect.poll(() => double.running(), { timeout: 30_000 }).toBe(1);
    const admin = await second.admin();
    await reaches(admin, id, 'Ready');
    expect((await admin.call(logoutChatSession, { id })).envelope.msg).toBe('已退出登录');
    await reaches(admin, id, 'Closed');
    expect(double.running()).toBe(0);
    expect(double.folders()).toEqual([]);
  });

  it('shows that its login was ended on another device, and can be signed in anew', async () => {
    const admin = await (await start()).admin();
    const id = await signedIn(admin);
    double.terminate('8613800138000');
    await reaches(admin, id, 'Closed');
    expect((await admin.call(getChatSession, { id })).envelope.data?.detail).toBe(
      '登录已结束，点击“去登录”重新登录',
    );
    await admin.call(activateChatSession, { sessionId: id });
    await reaches(admin, id, 'WaitPhoneNumber');
  });

  it('is activated by many at once over two servers: one client, and every caller reads that it went well', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'chat-'));
    const [one, two] = [await start(), await start(elsewhere)];
    const here = await one.admin();
    const there = two.withToken(here.token);
    for (let round = 0; round < 3; round++) {
      const id = await added(here);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 ? here : there).call(activateChatSession, { sessionId: id }),
        ),
      );
      expect(answers.map(({ envelope }) => envelope.msg)).toEqual(answers.map(() => '操作成功'));
      expect(double.running()).toBe(round + 1);
    }
    rmSync(elsewhere, { recursive: true, force: true });
  });

  /** Makes a session look as if the process that holds it had just been killed. */
  async function killHolder(id: number): Promise<void> {
    await sql`update chat_session set holder = gen_random_uuid(), running = true, place = gen_random_uuid(),
      "holderKey" = ${createHolderKey().publicKey}, "leaseTime" = now() + make_interval(secs => ${LEASE_SECONDS}) where id = ${id}`.execute(
      database.db,
    );
  }

  it('whose server was killed is deleted once its lease is over, with a word about the login', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await killHolder(id);
    const began = performance.now();
    expect((await admin.call(deleteChatSession, { id })).envelope).toMatchObject({
      success: true,
      msg: '已删除；但没能通知 Telegram 退出登录，请在手机的设备列表里移除该设备',
    });
    expect(performance.now() - began).toBeLessThan((LEASE_SECONDS + 3) * 1_000);
    expect((await admin.call(listMyChatSessions, {})).envelope.data).toEqual([]);
  });

  it('whose server was killed is activated again at its place once its lease is over, by any server', async () => {
    const server = await start();
    const admin = await server.admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    const place = await database.db
      .selectFrom('chat_session')
      .select('place')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await stop(server);
    await killHolder(id);
    await database.db.updateTable('chat_session').set(place).where('id', '=', id).execute();
    const again = (await start()).withToken(admin.token);
    const began = performance.now();
    expect((await again.call(activateChatSession, { sessionId: id })).envelope.success).toBe(true);
    expect(performance.now() - began).toBeLessThan((LEASE_SECONDS + 3) * 1_000);
    expect(await stateOf(again, id)).toBe('AuthorizationStateWaitPhoneNumber');
  });

  it('runs on one server, and what comes in at another is passed on', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'chat-'));
    const [one, two] = [await start(), await start(elsewhere)];
    const here = await one.admin();
    const there = two.withToken(here.token);
    const id = await added(here);
    await Promise.all([
      here.call(activateChatSession, { sessionId: id }),
      there.call(activateChatSession, { sessionId: id }),
    ]);
    expect(double.running()).toBe(1);
    const holder =
      readdirSync(elsewhere).length === 0 ? { near: here, far: there } : { near: there, far: here };
    for (const client of [holder.far, holder.near])
      expect((await client.call(loginChatByPhone, { id, phone: '+8613800138001' })).envelope.success).toBe(
        true,
      );
    expect((await holder.far.call(loginChatByCode, { id, code: '0' })).envelope).toMatchObject({
      msg: '验证码错误',
      data: { errors: { code: '验证码错误' } },
    });
    await holder.far.call(loginChatByCode, { id, code: '13579' });
    await holder.far.call(loginChatByPassword, { id, password: 'Canary-second-password' });
    await reaches(holder.near, id, 'Ready');
    expect(double.running()).toBe(1);
    expect((await holder.far.call(deleteChatSession, { id })).envelope.success).toBe(true);
    expect(double.running()).toBe(0);
    expect(double.folders()).toEqual([]);
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it('whose key another APP_SECRET sealed says so in Chinese, and can be deleted and added again', async () => {
    const first = await start();
    const admin = await first.admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    await stop(first);
    const second = await (await start(folder, { secret: Buffer.alloc(32, 'another') })).admin();
    expect((await second.call(activateChatSession, { sessionId: id })).envelope).toMatchObject({
      success: false,
      msg: '会话的密钥无法解密（登录它时的 APP_SECRET 与现在不同），请换回原来的密钥，或删除后重新添加',
    });
    expect(double.running()).toBe(0);
    expect((await second.call(deleteChatSession, { id })).envelope).toMatchObject({
      success: true,
      msg: '已删除；但没能通知 Telegram 退出登录，请在手机的设备列表里移除该设备',
    });
    const again = await added(second);
    await second.call(activateChatSession, { sessionId: again });
    expect(await stateOf(second, again)).toBe('AuthorizationStateWaitPhoneNumber');
  });

  it('that ran is deleted all the same once no API id is configured any more', async () => {
    const first = await start();
    const id = await signedIn(await first.admin());
    await stop(first);
    const second = await (await start(folder, { telegram: null })).admin();
    expect((await second.call(deleteChatSession, { id })).envelope).toMatchObject({
      success: true,
      msg: '已删除；但没能通知 Telegram 退出登录，请在手机的设备列表里移除该设备',
    });
    expect((await second.call(listMyChatSessions, {})).envelope.data).toEqual([]);
    expect(readdirSync(join(folder, 'chat-sessions'))).toEqual(['place']);
  });

  it('goes with its operator', async () => {
    const server = await start();
    const grants = ['/main/session/my-session', '/main/user/user'];
    const { id: operatorId, username } = await buildOperator(server.db, { grants });
    await signedIn(await server.as(username, PASSWORD));
    await (await server.admin()).call(deleteOperator, { id: operatorId });
    await expect.poll(() => double.running(), { timeout: 30_000 }).toBe(0);
    await expect.poll(() => double.folders()).toEqual([]);
  });
});

describe('codes, numbers on their way and passwords', () => {
  it('are in no table', async () => {
    const admin = await (await start()).admin();
    const id = await added(admin);
    await admin.call(activateChatSession, { sessionId: id });
    await admin.call(loginChatByPhone, { id, phone: '+8613800138001' });
    const headers = { 'idempotency-key': 'one-key' };
    await admin.call(loginChatByCode, { id, code: '975318' }, { headers });
    await admin.call(loginChatByCode, { id, code: '13579' });
    await admin.call(loginChatByPassword, { id, password: 'Canary-second-password' });
    await reaches(admin, id, 'Ready');
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.db);
    for (const { name } of rows) {
      const found = await sql<{ n: number }>`
        select count(*)::int as n from ${sql.table(name)} t where t::text ~ '975318|13579|Canary-second'`.execute(
        database.db,
      );
      expect(found.rows[0]?.n, name).toBe(0);
    }
    const recorded = await sql<{ n: number }>`
      select count(*)::int as n from change_record where to_jsonb(change_record)::text ~ '13800138001'`.execute(
      database.db,
    );
    expect(recorded.rows[0]?.n).toBe(0);
  });
});

it('a session is written of by nobody who has lost it to another server', async () => {
  const { id: operatorId } = await buildOperator(database.db);
  const id = await insertSession(database.db, operatorId, player);
  const holder = randomUUID();
  await sql`update chat_session set holder = ${holder}, "holderKey" = ${createHolderKey().publicKey}, running = true where id = ${id}`.execute(
    database.db,
  );
  const shown = { authState: 'AuthorizationStateReady', detail: null, phone: '+1', idleMs: 0 } as const;
  await saveShown(database.db, id, randomUUID(), shown);
  await releaseSession(database.db, id, randomUUID(), { ended: true });
  const { rows } = await sql`
    select holder, running, phone, "authState" from chat_session where id = ${id}`.execute(database.db);
  expect(rows).toEqual([{ holder, running: true, phone: null, authState: null }]);
});
