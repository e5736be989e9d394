import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOperator, listOperators } from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import { login } from '#contract/sign-in.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { delayMs, waitSeconds } from './throttle-store.ts';

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

let addresses = 0;
const newAddress = (): string => `10.2.0.${++addresses}`;
const ghost = (): string => `ghost-${randomUUID()}`;

/** One sign-in from an address, with how long its answer took. */
async function tryFrom(address: string, username: string, password: string, at = server) {
  const began = performance.now();
  const headers = { 'x-forwarded-for': address };
  const {
    status,
    headers: answered,
    envelope,
  } = await at.anonymous.call(login, { username, password }, { headers });
  const retryAfter = Number(answered.get('retry-after') ?? 0);
  return { status, envelope, retryAfter, ms: performance.now() - began };
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

it('accounts close for 30 s doubling to an hour; tries of an address come half a second apart doubling to four', () => {
  expect([1, 4, 5, 6, 7, 11, 12, 13, 50].map(waitSeconds)).toEqual([
    0, 0, 30, 60, 120, 1920, 3600, 3600, 3600,
  ]);
  expect([1, 4, 5, 6, 7, 8, 60].map(delayMs)).toEqual([0, 0, 500, 1_000, 2_000, 4_000, 4_000]);
});

describe('failures of one account', () => {
  it('are counted one by one when they come at once: five are answered, then it is closed', async () => {
    const { username } = await buildOperator(server.db);
    // From many addresses, so that none of these is slowed.
    const tries = Array.from({ length: 20 }, (_, n) =>
      tryFrom(newAddress(), username, 'wrong', n % 2 === 0 ? server : other),
    );
    expect(statuses(await Promise.all(tries))).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    const { count } = await server.db
      .selectFrom('sign_in_failure')
      .select('count')
      .where('kind', '=', 'account')
      .where('subject', '=', username)
      .executeTakeFirstOrThrow();
    expect(count).toBe(5);
  });

  it('are remembered for a day without one, whoever else fails meanwhile', async () => {
    const [{ username: one }, { username: two }] = [
      await buildOperator(server.db),
      await buildOperator(server.db),
    ];
    const aged = async (name: string, hours: number) => {
      for (let n = 0; n < 4; n++) await tryFrom(newAddress(), name, 'wrong');
      await sql`
        update sign_in_failure set "updateTime" = now() - make_interval(hours => ${hours}) where subject = ${name}`.execute(
        server.db,
      );
    };
    await aged(one, 23);
    await aged(two, 25);
    // Each failure sweeps what is long over.
    await tryFrom(newAddress(), ghost(), 'wrong');
    for (const name of [one, two]) await tryFrom(newAddress(), name, 'wrong');
    expect((await tryFrom(newAddress(), one, PASSWORD)).status).toBe(429);
    expect((await tryFrom(newAddress(), two, PASSWORD)).envelope.success).toBe(true);
  });

  it('are the same failures however the name is written', async () => {
    const { username } = await buildOperator(server.db, { username: `Wide-${randomUUID()}` });
    const wide = username.replace('Wide', 'ＷｉＤＥ');
    for (let n = 0; n < 5; n++) await tryFrom(newAddress(), n % 2 === 0 ? wide : username, 'wrong');
    expect((await tryFrom(newAddress(), username.toUpperCase(), PASSWORD)).status).toBe(429);
  });
});

describe('failures of one address', () => {
  const fail = async (address: string, times: number) => {
    for (let n = 0; n < times; n++) expect((await tryFrom(address, ghost(), 'wrong')).status).toBe(200);
  };

  it('slow it from the sixth try on, more with each, at every server, and a good account does not clear them', async () => {
    const address = newAddress();
    const { username } = await buildOperator(server.db);
    await fail(address, 5);
    const sixth = await tryFrom(address, ghost(), 'wrong', other);
    const seventh = await tryFrom(address, ghost(), 'wrong');
    const good = await tryFrom(address, username, PASSWORD, other);
    expect(sixth.ms).toBeGreaterThan(490);
    expect(seventh.ms).toBeGreaterThan(990);
    expect(good.envelope.success).toBe(true);
    expect(good.ms).toBeGreaterThan(1_990);
    const { count } = await server.db
      .selectFrom('sign_in_failure')
      .select('count')
      .where('subject', '=', address)
      .executeTakeFirstOrThrow();
    expect(count, 'the good one is no failure').toBe(7);
    expect((await tryFrom(newAddress(), username, PASSWORD)).ms).toBeLessThan(1_000);
  });

  it('let its tries begin one after the other over all servers, and send away those whose turn is far', async () => {
    const address = newAddress();
    await fail(address, 5);
    const began = performance.now();
    const tries = Array.from({ length: 12 }, (_, n) =>
      tryFrom(address, ghost(), 'wrong', n % 2 === 0 ? server : other),
    );
    const answers = await Promise.all(tries);
    const answered = answers.filter(({ status }) => status === 200).map(({ ms }) => Math.round(ms));
    // 0.5 s, then one more, then two more: a fourth would have its turn after 7.5 s.
    expect(answered).toHaveLength(3);
    expect(Math.max(...answered)).toBeGreaterThan(3_490);
    expect(performance.now() - began).toBeLessThan(8_000);
    const away = answers.filter(({ status }) => status === 429);
    expect(away).toHaveLength(9);
    for (const { retryAfter, envelope, ms } of away) {
      expect(retryAfter).toBeGreaterThan(5);
      expect(envelope.msg).toMatch(/^登录失败次数过多，请 \d+ 秒后再试$/);
      expect(ms).toBeLessThan(3_000);
    }
  });

  it('cannot be overtaken by many tries at once: five are answered before the line begins', async () => {
    const address = newAddress();
    const tries = Array.from({ length: 12 }, () => tryFrom(address, ghost(), 'wrong'));
    const answers = await Promise.all(tries);
    const answered = answers.filter(({ status }) => status === 200);
    expect(answered).toHaveLength(8);
    expect(answered.filter(({ ms }) => ms > 490).length).toBeGreaterThanOrEqual(3);
  });

  it('hold no connection of the database while they wait', async () => {
    const address = newAddress();
    await fail(address, 5);
    const waiting = tryFrom(address, ghost(), 'wrong');
    // From the moment its turn is given it waits half a second.
    await expect
      .poll(async () => {
        const query = server.db.selectFrom('sign_in_failure').select('count').where('subject', '=', address);
        return (await query.executeTakeFirst())?.count;
      })
      .toBe(6);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(server.db);
    expect(rows[0]?.n).toBe(0);
    expect((await waiting).ms).toBeGreaterThan(490);
  });

  it('are forgotten after a quarter of an hour without one', async () => {
    const address = newAddress();
    await fail(address, 5);
    await sql`update sign_in_failure set "updateTime" = now() - interval '16 minutes' where subject = ${address}`.execute(
      server.db,
    );
    expect((await tryFrom(address, ghost(), 'wrong')).ms).toBeLessThan(490);
  });
});

describe('a burst', () => {
  it('from one address has its share of the hashing, leaves no line in the change record for the rest, and others get in', async () => {
    const { username } = await buildOperator(server.db);
    const { rows: before } = await sql<{ n: number }>`select count(*) as n from change_record`.execute(
      server.db,
    );
    const address = newAddress();
    const burst = Promise.all(Array.from({ length: 300 }, () => tryFrom(address, ghost(), 'wrong')));
    const honest = await tryFrom(newAddress(), username, PASSWORD);
    const answers = await burst;
    expect(honest.envelope.success).toBe(true);
    const busy = answers.filter(({ envelope }) =>
      /^正在登录的人过多，请 \d+ 秒后再试$/.test(envelope.msg ?? ''),
    );
    expect(busy.length).toBeGreaterThan(200);
    for (const { status, retryAfter } of busy) expect([status, retryAfter]).toEqual([429, 2]);
    const { rows: after } = await sql<{ n: number }>`select count(*) as n from change_record`.execute(
      server.db,
    );
    expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBeLessThan(30);
  });
});

describe('wrong old passwords', () => {
  const signedIn = async () => {
    const { username, id } = await buildOperator(server.db);
    return { id, username, client: await server.as(username, PASSWORD) };
  };
  const form = (oldPassword: string) => ({
    oldPassword,
    newPassword: 'another long one',
    newConfirm: 'another long one',
  });

  it('close the change of it after five, also when they come at once, with Retry-After', async () => {
    const { id, username, client } = await signedIn();
    const tries = Array.from({ length: 12 }, () => client.call(changePassword, form('wrong')));
    const answers = await Promise.all(tries);
    expect(statuses(answers)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
    const closed = await client.call(changePassword, form(PASSWORD));
    expect(closed.status).toBe(429);
    expect(closed.envelope.msg).toMatch(/^旧密码错误次数过多，请 \d+ 秒后再试$/);
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(25);
    expect((await tryFrom(newAddress(), username, PASSWORD)).envelope.success).toBe(true);
    // Who was told to come back later may do so under the same key.
    const headers = { 'idempotency-key': randomUUID() };
    const keyed = async () => (await client.call(changePassword, form(PASSWORD), { headers })).envelope.msg;
    expect(await keyed()).toContain('旧密码错误次数过多');
    await sql`delete from sign_in_failure where kind = 'password' and subject = ${String(id)}`.execute(
      server.db,
    );
    expect(await keyed()).toBe('密码修改成功');
  });

  it('are forgotten with a right one', async () => {
    const { client } = await signedIn();
    for (let n = 0; n < 4; n++) await client.call(changePassword, form('wrong'));
    expect((await client.call(changePassword, form(PASSWORD))).envelope.success).toBe(true);
    const wrong = await client.call(changePassword, form('wrong'));
    expect(wrong.envelope).toMatchObject({ code: 400, msg: '旧密码错误' });
  });

  it('wait for nobody and hold nobody up: another change of access under way does not matter to them', async () => {
    const { client } = await signedIn();
    await server.db.transaction().execute(async (tx) => {
      await bumpEpoch(tx, 'everyone');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => client.call(changePassword, form('wrong'))),
      );
      expect(statuses(answers)).toEqual(Array(5).fill(200));
    });
  });

  it('a change that comes again under its key is answered as the first time', async () => {
    const { client, id } = await signedIn();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.call(changePassword, form(PASSWORD), { headers });
    const again = await client.call(changePassword, form(PASSWORD), { headers });
    expect(again.envelope).toEqual(first.envelope);
    expect(first.envelope).toMatchObject({ success: true, msg: '密码修改成功' });
    const { rows } = await sql`
      select from sign_in_failure where kind = 'password' and subject = ${String(id)}`.execute(server.db);
    expect(rows).toEqual([]);
  });

  it('one of two right changes at once wins', async () => {
    const { username, client } = await signedIn();
    const to = (password: string) =>
      client.call(changePassword, { oldPassword: PASSWORD, newPassword: password, newConfirm: password });
    const answers = await Promise.all([to('the first new one'), to('the second new one')]);
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    const works = await Promise.all(
      ['the first new one', 'the second new one'].map((one) => tryFrom(newAddress(), username, one)),
    );
    expect(works.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  });
});

it('adding an operator hashes outside of its transaction, and is done once under its key', async () => {
  const admin = await server.admin();
  const userName = `once-${randomUUID()}`;
  const headers = { 'idempotency-key': randomUUID() };
  const add = () => admin.call(addOperator, { userName, password: 'quite a long one' }, { headers });
  const [first, second] = await Promise.all([add(), add()]);
  expect(first.envelope).toMatchObject({ success: true, data: second.envelope.data });
  expect((await admin.call(listOperators, { userName })).envelope.data).toHaveLength(1);
});
