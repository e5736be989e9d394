import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activateMailConfig, addMailConfig } from '#contract/mail-configs.ts';
import { type OutboxMail, pageOutboxMails, retryOutboxMail } from '#contract/mail-outbox.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { sendTemplateMail } from '#contract/platform.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { type DatabaseClock, startDatabaseClock } from '#server/db/database-clock.ts';
import { mails } from '#server/jobs/mails.ts';
import { startJobs } from '#server/jobs/start.ts';
import { given } from '#server/testing/given.ts';
import { onlyUser, startSmtpServer, type TestSmtpServer } from '#server/testing/smtp-server.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { deliverDueMails } from './deliver-mails.ts';
import { nextMail } from './outbox-store.ts';
import { sendMail } from './send-mail.ts';

const CODE = 'Canary-code-4711';
const allowed: string[] = [];
const open: TestSmtpServer[] = [];
let ahead = 0;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ spiderAllowedHosts: allowed });
});
beforeEach(async () => {
  ahead = 0;
  await sql`delete from mail_outbox`.execute(server.db);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const each of clocks.splice(0)) each.stop();
});
afterAll(() => server.close());

const clocks: DatabaseClock[] = [];
/** What servers of this file's database send mails with. */
async function jobOptions() {
  const clock = await startDatabaseClock(server.db);
  clocks.push(clock);
  return {
    connections: connectionsOver(server.db, server.database.url),
    config: server.config,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock,
  };
}

const services = () => ({
  db: server.db,
  config: server.config,
  vault: createVault(server.config.secret),
  clock: () => new Date(Date.now() + ahead),
});
const deliver = () => deliverDueMails(services());
const pass = (seconds: number) => {
  ahead += seconds * 1000;
};

/** An SMTP server with the active config leading to it. */
async function relay(options?: Parameters<typeof startSmtpServer>[0], account = {}): Promise<TestSmtpServer> {
  const started = await startSmtpServer(options);
  open.push(started);
  allowed.push(started.address);
  await leadTo('127.0.0.1', started.port, account);
  return started;
}

async function leadTo(host: string, port: number, account = {}): Promise<void> {
  const admin = await server.admin();
  const loginTemplate = '主题：登录验证码\n验证码 {{code}}，请勿转发。';
  const added = await admin.call(addMailConfig, { host, port, loginTemplate, ...account });
  await admin.call(activateMailConfig, { id: given(added.envelope.data) });
}

const order = async (to = 'player@example.com', variables: Record<string, string> = { code: CODE }) =>
  (await server.site().call(sendTemplateMail, { template: 'login', to, variables })).envelope;

async function newest(): Promise<OutboxMail | undefined> {
  return (await (await server.admin()).call(pageOutboxMails, {})).envelope.data?.data[0];
}

describe('a template mail', () => {
  it('reaches the server, and nothing of what it said is kept', async () => {
    const real = await relay();
    expect((await order()).success).toBe(true);
    expect(await newest()).toMatchObject({ status: 'PENDING', template: 'login', attempts: 0 });
    expect(await deliver()).toBe(1);
    expect(await newest()).toMatchObject({ status: 'SENT', attempts: 1, lastError: null, nextTime: null });
    const source = real.received[0]?.source ?? '';
    expect(source).toContain('Subject: =?UTF-8?');
    expect(source).toMatch(/Message-ID: <\d+\.[0-9a-f]{24}@127\.0\.0\.1>/);
    const { rows } = await sql<{ found: boolean }>`
      select exists(select from mail_outbox m where m.content is not null or m::text like ${`%${CODE}%`}) as found`.execute(
      server.db,
    );
    expect(rows[0]?.found).toBe(false);
    expect(await deliver()).toBe(0);
  });

  it('comes from the address and name that the parameters give', async () => {
    const real = await relay();
    const admin = await server.admin();
    const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
    const set = async (key: string, value: string) => {
      const param = params.find((each) => each.key === key);
      return param && (await admin.call(updateParamSetting, { ...param, value })).envelope;
    };
    expect(await set('mail.fromAddress', 'a@b.com\nx')).toMatchObject({ success: false });
    expect(await set('mail.fromName', 'x\r\nBcc: y')).toMatchObject({ success: false });
    await set('mail.fromAddress', 'service@example.com');
    await set('mail.fromName', 'Service');
    await order();
    await deliver();
    expect(real.received[0]?.from).toBe('service@example.com');
    expect(real.received[0]?.source).toContain('From: Service <service@example.com>');
    await set('mail.fromAddress', '');
    await set('mail.fromName', '');
  });

  it('is refused at once when it cannot be written', async () => {
    await relay();
    expect(await order('x@y.com', {})).toMatchObject({ success: false, msg: '缺少模板变量：code' });
    expect(await order('x@y.com', { code: '1', name: '2\r\nBcc: z@z.com' })).toMatchObject({
      success: false,
      msg: '模板变量不能含有换行或控制字符',
    });
    expect(await order('x@y.com\r\nBcc: z@z.com')).toMatchObject({ success: false, msg: '邮箱地址不正确' });
    const withdraw = await server.site().call(sendTemplateMail, { template: 'withdraw', to: 'x@y.com' });
    expect(withdraw.envelope.msg).toBe('使用中的邮件配置没有设置提现模板');
    expect(await newest()).toBeUndefined();
  });

  it('waits out greylisting: half a minute, a minute, then it is taken', async () => {
    let attempts = 0;
    const grey = await relay({
      onRcptTo: (_address, _session, done) =>
        ++attempts < 3 ? done(Object.assign(new Error('4.2.0 Greylisted'), { responseCode: 450 })) : done(),
    });
    await order();
    await deliver();
    expect(await newest()).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      lastError: '邮件服务器暂不接收：450 4.2.0 Greylisted',
    });
    expect(await deliver()).toBe(0);
    const again = await (await server.admin()).call(retryOutboxMail, { id: given((await newest())?.id) });
    expect(again.envelope.msg).toBe('只有发送失败的邮件可以重新发送');
    pass(31);
    await deliver();
    expect(await deliver()).toBe(0);
    pass(61);
    expect(await deliver()).toBe(1);
    expect(await newest()).toMatchObject({ status: 'SENT', attempts: 3 });
    expect(grey.received).toHaveLength(1);
  });

  it('is given up at once when the server refuses it for good, and can be taken up again', async () => {
    let closed = true;
    const real = await relay({
      onRcptTo: (_address, _session, done) =>
        closed ? done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })) : done(),
    });
    await order();
    await deliver();
    const failed = await newest();
    expect(failed).toMatchObject({ status: 'FAILED', lastError: expect.stringContaining('No such user') });
    closed = false;
    const admin = await server.admin();
    expect((await admin.call(retryOutboxMail, { id: given(failed?.id) })).envelope.success).toBe(true);
    pass(1);
    await deliver();
    expect(real.received).toHaveLength(1);
    // It had all its attempts before it.
    expect(await newest()).toMatchObject({ status: 'SENT', attempts: 1 });
    expect((await admin.call(retryOutboxMail, { id: given(failed?.id) })).envelope.msg).toBe(
      '只有发送失败的邮件可以重新发送',
    );
  });

  it('is given up after eight attempts over two hours of an outage', async () => {
    const gone = await startSmtpServer();
    allowed.push(gone.address);
    await gone.close();
    await leadTo('127.0.0.1', gone.port);
    await order();
    for (let attempts = 1; attempts <= 7; attempts++) {
      await deliver();
      expect(await newest()).toMatchObject({ status: 'PENDING', attempts });
      pass(3_601);
    }
    await deliver();
    expect(await newest()).toMatchObject({ status: 'FAILED', attempts: 8 });
  });

  it('whose content cannot be opened is tried later and holds no other up', async () => {
    const real = await relay();
    await order('broken@example.com');
    await sql`update mail_outbox set content = decode('00', 'hex') || content`.execute(server.db);
    await order('next@example.com');
    expect(await deliver()).toBe(2);
    expect(real.received).toHaveLength(1);
    const { rows } = await sql`select "to", status, "lastError" from mail_outbox order by id`.execute(
      server.db,
    );
    expect(rows).toMatchObject([
      { to: 'broken@example.com', status: 'PENDING', lastError: expect.stringContaining('邮件内容无法解密') },
      { to: 'next@example.com', status: 'SENT' },
    ]);
  });

  it('is given up at once when the server takes its password for wrong', async () => {
    await relay(
      { authOptional: false, onAuth: onlyUser('ops@example.com', 'secret word') },
      { username: 'ops@example.com', password: 'another word', enableStarttls: true },
    );
    await order();
    await deliver();
    expect(await newest()).toMatchObject({ status: 'FAILED', lastError: '邮件服务器不接受用户名或密码' });
  });

  it('never connects to an internal host', async () => {
    await leadTo('127.0.0.1', 9);
    await order();
    await deliver();
    expect(await newest()).toMatchObject({ status: 'FAILED', lastError: '不允许访问内部地址：127.0.0.1' });
  });

  it('is sent once by three servers working at the same time, each over STARTTLS with its password', async () => {
    const real = await relay(
      { authOptional: false, onAuth: onlyUser('ops@example.com', 'secret word') },
      { username: 'ops@example.com', password: 'secret word', enableStarttls: true },
    );
    for (let i = 0; i < 12; i++) await order(`player${i}@example.com`);
    await Promise.all([deliver(), deliver(), deliver()]);
    const recipients = real.received.map((mail) => mail.to[0]).toSorted();
    expect(recipients).toEqual(Array.from({ length: 12 }, (_, i) => `player${i}@example.com`).toSorted());
    expect(real.received.every((mail) => mail.secure && mail.user === 'ops@example.com')).toBe(true);
  });

  it('is taken over when the server that was sending it died', async () => {
    const real = await relay();
    await order();
    await sql`update mail_outbox set status = 'SENDING', attempts = 1, "nextTime" = now() + interval '60 s'`.execute(
      server.db,
    );
    expect(await deliver()).toBe(0);
    // Though no other mail is due, somebody comes for it.
    expect(await nextMail(server.db)).toBeGreaterThan(Date.now() + 50_000);
    pass(61);
    expect(await deliver()).toBe(1);
    expect(real.received).toHaveLength(1);
  });

  it('that another server has sent meanwhile stays sent, whatever becomes of an attempt that stood still', async () => {
    const held = Promise.withResolvers<() => void>();
    let attempts = 0;
    const real = await relay({
      onRcptTo: (_address, _session, done) => {
        const refuse = () => done(Object.assign(new Error('4.2.0 Busy'), { responseCode: 450 }));
        return ++attempts === 1 ? held.resolve(refuse) : done();
      },
    });
    await order();
    const still = deliver();
    const refuse = await held.promise;
    pass(61);
    expect(await deliver()).toBe(1);
    refuse();
    await still;
    expect(await newest()).toMatchObject({ status: 'SENT', attempts: 2, lastError: null, nextTime: null });
    expect(real.received).toHaveLength(1);
  });

  it('is sent once to a server that takes four seconds for each of three answers', async () => {
    const slowly = (done: () => void) => void setTimeout(done, 4_000);
    const real = await relay({
      onMailFrom: (_address, _session, done) => slowly(done),
      onRcptTo: (_address, _session, done) => slowly(done),
      onConnect: (_session, done) => slowly(done),
    });
    await order();
    await deliver();
    expect(await newest()).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(real.received).toHaveLength(1);
  }, 30_000);

  it('that was given up for want of an answer is not sent after all', async () => {
    const slow = await relay({
      onRcptTo: (_address, _session, done) => void setTimeout(done, 500),
    });
    const account = {
      host: '127.0.0.1',
      port: slow.port,
      username: null,
      password: null,
      enableStarttls: false,
    };
    const letter = {
      ...{
        from: { name: '', address: 'a@example.com' },
        to: 'b@example.com',
        subject: '迟',
        text: '迟',
        html: '',
      },
    };
    const sending = sendMail(account, letter, { allowedHosts: [slow.address] }, 200);
    await expect(sending).rejects.toThrow('邮件服务器没有及时响应');
    await sleep(1_000);
    expect(slow.received).toEqual([]);
  });

  it('is sent while the mail server keeps others waiting, of whom there are no more than three', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let [waiting, most] = [0, 0];
    const real = await relay({
      onRcptTo: async ({ address }, _session, done) => {
        if (address.startsWith('slow')) {
          most = Math.max(most, ++waiting);
          await held;
          waiting -= 1;
        }
        done();
      },
    });
    const jobs = startJobs(await jobOptions(), [mails()]);
    const stateOf = async () =>
      (await (await server.admin()).call(pageOutboxMails, { pageSize: 100 })).envelope.data?.data.flatMap(
        ({ to, status }) => (to.startsWith('quick') ? [status] : []),
      );
    await order('slow1@example.com');
    await order('slow2@example.com');
    await expect.poll(() => waiting).toBe(2);
    for (const n of [1, 2, 3]) await order(`quick${n}@example.com`);
    await expect.poll(stateOf).toEqual(['SENT', 'SENT', 'SENT']);
    for (const n of [3, 4, 5]) await order(`slow${n}@example.com`);
    await expect.poll(() => waiting).toBe(3);
    letGo();
    await expect.poll(() => real.received.length).toBe(8);
    expect(most).toBe(3);
    await jobs.stop();
  });

  it('leaves by itself within seconds, and again when its next attempt is due, over two servers once', async () => {
    let attempts = 0;
    const real = await relay({
      onRcptTo: (_address, _session, done) =>
        ++attempts === 1 ? done(Object.assign(new Error('4.2.0 Busy'), { responseCode: 450 })) : done(),
    });
    const options = await jobOptions();
    const servers = [startJobs(options, [mails()]), startJobs(options, [mails()])];
    await order();
    await expect.poll(async () => (await newest())?.attempts, { timeout: 30_000 }).toBe(1);
    await expect.poll(async () => (await newest())?.status, { timeout: 30_000 }).toBe('PENDING');
    await sql`update mail_outbox set "nextTime" = now() + interval '1 second'`.execute(server.db);
    await expect.poll(() => real.received.length, { timeout: 30_000 }).toBe(1);
    await expect.poll(async () => (await newest())?.status, { timeout: 30_000 }).toBe('SENT');
    await Promise.all(servers.map((jobs) => jobs.stop()));
    expect(attempts).toBe(2);
  });
});

describe('the outbox', () => {
  it('is searched by address, template and status', async () => {
    const admin = await server.admin();
    await relay();
    await order('Anna@example.com');
    await order('bert@example.com');
    const count = async (filter: object) =>
      (await admin.call(pageOutboxMails, filter)).envelope.data?.totalCount;
    expect(await count({ to: 'anna' })).toBe(1);
    expect(await count({ to: '_ert' })).toBe(0);
    expect(await count({ template: 'login', status: 'PENDING' })).toBe(2);
    expect(await count({ template: 'register' })).toBe(0);
  });
});
