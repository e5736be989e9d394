import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  activateMailConfig,
  addMailConfig,
  deleteMailConfig,
  listMailConfigs,
  previewMail,
  sendTestMail,
  updateMailConfig,
} from '#contract/mail-configs.ts';
import { given } from '#server/testing/given.ts';
import { onlyUser, startSmtpServer, type TestSmtpServer } from '#server/testing/smtp-server.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';

const CANARY = 'smtp-Canary-8812';
const TO = 'player@example.com';
const open: { close(): Promise<void> }[] = [];
const allowed: string[] = [];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ spiderAllowedHosts: allowed });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  // A port that is free again may be the next test's.
  allowed.length = 0;
});
afterAll(() => server.close());

async function smtp(options?: Parameters<typeof startSmtpServer>[0]): Promise<TestSmtpServer> {
  const started = await startSmtpServer(options);
  open.push(started);
  allowed.push(started.address);
  return started;
}

interface Form {
  host?: string;
  port: number;
  username?: string;
  password?: string;
  enableStarttls?: boolean;
}

async function buildConfig(form: Form): Promise<number> {
  const admin = await server.admin();
  const { envelope } = await admin.call(addMailConfig, { host: '127.0.0.1', ...form });
  if (!envelope.data) throw new Error(`no config: ${envelope.msg}`);
  return envelope.data;
}

async function configOf(id: number) {
  const list = (await (await server.admin()).call(listMailConfigs, {})).envelope.data ?? [];
  return list.find((config) => config.id === id);
}

const send = async (id: number, to = TO) =>
  (await (await server.admin()).call(sendTestMail, { id, to })).envelope;

describe('mail configs', () => {
  it('show a password as ****** only, keep it when it comes back so, and seal it at rest', async () => {
    const admin = await server.admin();
    const id = await buildConfig({ port: 25, username: 'u@example.com', password: CANARY });
    const config = await configOf(id);
    expect(config?.password).toBe('******');
    const sealed = async () =>
      (await server.db.selectFrom('mail_config').select('password').where('id', '=', id).execute())[0]
        ?.password;
    const before = await sealed();
    const {
      active: _,
      version: _opened,
      ...form
    } = config ?? { active: false, host: '', port: 1, enableStarttls: false, id };
    await admin.call(updateMailConfig, { ...form, id, port: 587 });
    expect((await sealed())?.equals(before ?? Buffer.alloc(0))).toBe(true);
    const { password: __, ...without } = form as typeof form & { password?: string | null };
    await admin.call(updateMailConfig, { ...without, id });
    expect((await sealed())?.equals(before ?? Buffer.alloc(0))).toBe(true);
    await admin.call(updateMailConfig, { ...form, id, password: 'another' });
    expect((await sealed())?.equals(before ?? Buffer.alloc(0))).toBe(false);
    await admin.call(updateMailConfig, { ...form, id, username: '', password: '******' });
    expect(await configOf(id)).toMatchObject({ username: null, password: null });
    const { rows } = await sql<{ found: boolean }>`
      select exists(select from mail_config where encode(password, 'escape') like ${`%${CANARY}%`})
        or exists(select from change_record where to_jsonb(change_record)::text like ${`%${CANARY}%`}) as found`.execute(
      server.db,
    );
    expect(rows[0]?.found).toBe(false);
  });

  it('stay with STARTTLS where an edit says nothing of it: no password goes in the clear unasked', async () => {
    const id = await buildConfig({ port: 25, enableStarttls: true });
    const admin = await server.admin();
    await admin.call(updateMailConfig, { id, host: '127.0.0.1', port: 587 });
    expect(await configOf(id)).toMatchObject({ port: 587, enableStarttls: true });
    await admin.call(updateMailConfig, { id, host: '127.0.0.1', port: 587, enableStarttls: false });
    expect(await configOf(id)).toMatchObject({ enableStarttls: false });
  });

  it('have exactly one active among them, also when many are activated at once', async () => {
    const admin = await server.admin();
    const ids = await Promise.all([1, 2, 3, 4].map((port) => buildConfig({ port })));
    const answers = await Promise.all(ids.map((id) => admin.call(activateMailConfig, { id })));
    expect(answers.every(({ envelope }) => envelope.msg?.startsWith('已启用邮件配置 '))).toBe(true);
    const active = (await admin.call(listMailConfigs, {})).envelope.data?.filter((config) => config.active);
    expect(active).toHaveLength(1);
    await admin.call(activateMailConfig, { id: given(active?.[0]?.id) });
    const again = (await admin.call(listMailConfigs, {})).envelope.data?.filter((config) => config.active);
    // Whoever edits it meanwhile is not told that somebody changed it.
    expect(again).toEqual(active);
    const refusal = { success: false, msg: '使用中的邮件配置不能删除，请先启用另一个' };
    expect((await admin.call(deleteMailConfig, { id: given(active?.[0]?.id) })).envelope).toMatchObject(
      refusal,
    );
    const other = given(ids.find((id) => id !== active?.[0]?.id));
    expect((await admin.call(deleteMailConfig, { id: other })).envelope.success).toBe(true);
    expect((await admin.call(activateMailConfig, { id: other })).envelope.msg).toBe('记录不存在');
  });

  it.each([
    ['two', 'update mail_config set active = true'],
    ['none', 'update mail_config set active = false'],
    ['none left by a deletion', 'delete from mail_config where active'],
  ])('cannot be made %s active, whoever writes', async (_name, statement) => {
    await buildConfig({ port: 25 });
    await buildConfig({ port: 26 });
    await expect(sql.raw(statement).execute(server.db)).rejects.toMatchObject({
      code: expect.stringMatching(/^23/),
    });
  });

  it.each([
    [{ host: 'mail.example.com\r\nRCPT TO:<x@y>' }, 'host'],
    [{ host: 'mail example' }, 'host'],
    [{ username: 'u\r\nMAIL FROM:<x@y>' }, 'username'],
    [{ username: 'u', password: 'p\r\nQUIT' }, 'password'],
    [{ username: '', password: CANARY }, 'username'],
    [{ port: 70_000 }, 'port'],
  ])('refuse %j at its field', async (form, field) => {
    const admin = await server.admin();
    const { envelope } = await admin.call(addMailConfig, { host: 'mail.example.com', port: 25, ...form });
    expect(envelope).toMatchObject({ success: false, data: { errors: { [field]: expect.any(String) } } });
  });

  it('preview a template with values given or the variables’ names', async () => {
    const admin = await server.admin();
    const content = '主题：{{name}} 您好\n<p>验证码 {{code}}</p>';
    const { envelope } = await admin.call(previewMail, {
      template: 'login',
      content,
      variables: { code: '<i>7' },
    });
    expect(envelope.data).toEqual({
      subject: '【name】 您好',
      html: '<p>验证码 &lt;i&gt;7</p>',
      text: '验证码 <i>7',
      variables: ['name', 'code'],
    });
  });
});

describe('the test mail', () => {
  it('goes over STARTTLS with the stored password, from the user’s address', async () => {
    const real = await smtp({ authOptional: false, onAuth: onlyUser('ops@example.com', CANARY) });
    const id = await buildConfig({
      port: real.port,
      username: 'ops@example.com',
      password: CANARY,
      enableStarttls: true,
    });
    expect(await send(id)).toMatchObject({ success: true, msg: '测试邮件已发出' });
    expect(real.received).toHaveLength(1);
    expect(real.received[0]).toMatchObject({
      secure: true,
      user: 'ops@example.com',
      from: 'ops@example.com',
      to: [TO],
    });
    expect(real.received[0]?.source).toContain('Auto-Submitted: auto-generated');
  });

  it('goes in the clear, unauthenticated, where the config says so', async () => {
    const real = await smtp();
    const id = await buildConfig({ port: real.port });
    expect((await send(id)).success).toBe(true);
    expect(real.received[0]).toMatchObject({ secure: false, from: 'no-reply@127.0.0.1' });
  });

  it('never falls back to the clear where STARTTLS is demanded', async () => {
    const plain = await smtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const id = await buildConfig({ port: plain.port, enableStarttls: true });
    expect(await send(id)).toMatchObject({ success: false, msg: expect.stringContaining('STARTTLS') });
    expect(plain.received).toHaveLength(0);
  });

  it('says in Chinese that the password is wrong, and not what it was', async () => {
    const real = await smtp({ authOptional: false, onAuth: onlyUser('u', 'right') });
    const id = await buildConfig({
      port: real.port,
      username: 'u',
      password: CANARY,
      enableStarttls: true,
    });
    const envelope = await send(id);
    expect(envelope.msg).toBe('邮件未能发出：邮件服务器不接受用户名或密码');
    expect(JSON.stringify(envelope)).not.toContain(CANARY);
  });

  it('says what to do about a password that was sealed under another secret, instead of breaking', async () => {
    const real = await smtp({ authOptional: false });
    const id = await buildConfig({ port: real.port, username: 'u', password: CANARY });
    const foreign = createVault(randomBytes(32)).seal(CANARY, `mail_config:${id}:password`);
    await sql`update mail_config set password = ${foreign} where id = ${id}`.execute(server.db);
    const { success, code, msg } = await send(id);
    expect({ success, code }).toEqual({ success: false, code: 400 });
    expect(msg).toBe(
      '邮件未能发出：邮件配置的密码无法解密（保存它时的 APP_SECRET 与现在不同），请在邮件配置中重新填写密码',
    );
    // Once it is entered anew it is read again.
    const { envelope } = await (await server.admin()).call(updateMailConfig, {
      ...{ id, host: '127.0.0.1', port: real.port, username: 'u', password: 'another' },
    });
    expect(envelope.success).toBe(true);
    expect((await send(id)).msg).not.toContain('无法解密');
  });

  it('tells the server’s refusal of the recipient', async () => {
    const refusing = await smtp({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })),
    });
    const id = await buildConfig({ port: refusing.port });
    expect((await send(id)).msg).toBe('邮件未能发出：邮件服务器拒绝了邮件：550 5.1.1 No such user');
  });

  it('answers within 12 s when the server says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => silent.close(() => resolve())) });
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    allowed.push(`127.0.0.1:${port}`);
    const id = await buildConfig({ port });
    const start = performance.now();
    expect((await send(id)).msg).toBe('邮件未能发出：邮件服务器没有及时响应');
    expect(performance.now() - start).toBeLessThan(12_000);
  });

  it('says so when nobody listens', async () => {
    const gone = await startSmtpServer();
    allowed.push(gone.address);
    await gone.close();
    expect((await send(await buildConfig({ port: gone.port }))).msg).toBe('邮件未能发出：邮件服务器拒绝连接');
  });

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '127.0.0.1.',
    '１２７.0.0.1',
    '::1',
    '169.254.169.254',
    '10.0.0.1',
  ])('makes no connection to the internal host %s', async (host) => {
    let connected = false;
    const canary = createServer(() => {
      connected = true;
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => canary.close(() => resolve())) });
    const address = canary.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { msg, success } = await send(await buildConfig({ host, port }));
    expect(success).toBe(false);
    expect(msg).toMatch(/^不允许访问内部地址/);
    expect(connected).toBe(false);
  });

  it.each(['a@b.com\r\nBCC: x@y.com', 'a@b.com, c@d.com', 'a b@c.com', '<a@b.com>', 'nobody', 'a@b@c'])(
    'refuses %j as an address',
    async (to) => {
      const id = await buildConfig({ port: 25 });
      expect(await send(id, to)).toMatchObject({ data: { errors: { to: '邮箱地址不正确' } } });
    },
  );
});
