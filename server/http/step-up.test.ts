import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { beginGoogleKey, confirmGoogleKey, confirmStepUp } from '#contract/google-keys.ts';
import { listOperators, resetGoogleKey } from '#contract/operators.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { login } from '#contract/sign-in.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { type TestClient, under } from '#server/testing/test-client.ts';
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

const NEEDED = { success: false, code: 428, msg: '此操作需要谷歌验证码确认', data: null };
/** An operator with full rights and a key, whose session has given no code lately. */
async function withKey() {
  const operator = await buildOperator(server.db, { grants: await allGrants(server.db) });
  const first = await server.as(operator.username, PASSWORD);
  const begun = await first.call(beginGoogleKey, { password: PASSWORD });
  const secret = begun.envelope.data?.secret ?? '';
  const used = codeOf(secret);
  const { envelope } = await first.call(confirmGoogleKey, { googleCode: used });
  const session = first.token;
  await age(session, '1 hour');
  return { ...operator, secret, used, client: first, codes: envelope.data?.codes ?? [] };
}

/** Makes the code given last in a token's session so old. */
const age = (token: string, by: string) =>
  sql`update session set "stepUpTime" = clock_timestamp() - ${by}::interval where id in (
    select "sessionId" from access_token where hash = sha256(convert_to(${token}, 'utf8')))`.execute(
    server.db,
  );

const credit = (client: TestClient, id: number, key?: string) =>
  client.call(addBalance, { id, balance: '5' }, key ? under(key) : {});
const stepUp = async (client: TestClient, googleCode: string) =>
  (await client.call(confirmStepUp, { googleCode })).envelope;
async function balanceOf(userId: number): Promise<string | undefined> {
  const { data } = (await (await server.admin()).call(pageAccounts, { userId })).envelope;
  return data?.data[0]?.totalAmount;
}

describe('a call that asks for a fresh code', () => {
  it('goes through at once for an operator without a key', async () => {
    const { accountId } = await buildUser(server.db);
    expect((await credit(await server.admin(), accountId)).envelope.success).toBe(true);
  });

  it('is refused with a code of its own and changes nothing, until one was given; then it is done once under its key', async () => {
    const { accountId, userId } = await buildUser(server.db);
    const { client, secret, username } = await withKey();
    const key = randomUUID();
    expect((await credit(client, accountId, key)).envelope).toEqual(NEEDED);
    const before = await balanceOf(userId);
    expect(await stepUp(client, codeOf(secret, 1))).toMatchObject({ success: true, msg: '验证通过' });
    expect((await credit(client, accountId, key)).envelope.success).toBe(true);
    expect((await credit(client, accountId, key)).envelope.success).toBe(true);
    expect(Number(await balanceOf(userId)) - Number(before)).toBe(5);
    const admin = await server.admin();
    const { data } = (await admin.call(pageChangeRecords, { userName: username, summary: '人工加款' }))
      .envelope;
    expect(data?.data.map(({ outcome }) => outcome)).toEqual(['SUCCESS', 'REFUSED']);
  });

  it('is open on both servers for five minutes after the code, in that session only', async () => {
    const { accountId } = await buildUser(server.db);
    const { client, secret, username, codes } = await withKey();
    const beside = await server.anonymous.call(login, { username, password: PASSWORD, googleCode: codes[0] });
    const second = server.withToken(beside.envelope.data?.access_token ?? '');
    await stepUp(client, codeOf(secret, 1));
    expect((await credit(other.withToken(client.token), accountId)).envelope.success).toBe(true);
    // The other session was opened by a recovery code, which is no Google code.
    expect((await credit(second, accountId)).envelope).toEqual(NEEDED);
    await age(client.token, '4 minutes 55 seconds');
    expect((await credit(client, accountId)).envelope.success).toBe(true);
    await age(client.token, '5 minutes 1 second');
    expect((await credit(client, accountId)).envelope).toEqual(NEEDED);
  });

  it('counts the code that was given at sign-in', async () => {
    const { accountId } = await buildUser(server.db);
    const { username, secret } = await withKey();
    const googleCode = codeOf(secret, 1);
    const { data } = (await server.anonymous.call(login, { username, password: PASSWORD, googleCode }))
      .envelope;
    const fresh = server.withToken(data?.access_token ?? '');
    expect((await credit(fresh, accountId)).envelope.success).toBe(true);
    expect((await stepUp(fresh, googleCode)).msg).toBe('验证码错误或已使用过');
  });

  it('asks from the moment a key is given, by whomever', async () => {
    const { accountId } = await buildUser(server.db);
    const { id, username } = await buildOperator(server.db, { grants: await allGrants(server.db) });
    const client = await server.as(username, PASSWORD);
    expect((await credit(client, accountId)).envelope.success).toBe(true);
    expect((await client.call(resetGoogleKey, { id })).envelope.success).toBe(true);
    expect((await credit(client, accountId)).envelope).toEqual(NEEDED);
    await expect
      .poll(async () => (await credit(other.withToken(client.token), accountId)).envelope.code, {
        timeout: 1_000,
      })
      .toBe(428);
  });

  it('is one whose input says so, such as a security parameter under whatever key it is sent', async () => {
    const { client } = await withKey();
    const params = (await client.call(listParamSettings, {})).envelope.data ?? [];
    const find = (key: string) => {
      const param = params.find((one) => one.key === key);
      if (!param) throw new Error(`no ${key}`);
      return param;
    };
    const days = find('security.sessionDays');
    const mail = find('mail.fromName');
    expect((await client.call(updateParamSetting, { ...mail, value: '客服' })).envelope.success).toBe(true);
    expect((await client.call(updateParamSetting, { ...days, value: '9' })).envelope).toEqual(NEEDED);
    const disguised = await client.call(updateParamSetting, { ...days, key: 'mine', value: '9' });
    expect(disguised.envelope.success).toBe(false);
    const after = (await client.call(listParamSettings, {})).envelope.data ?? [];
    expect(after.find(({ id }) => id === days.id)).toMatchObject({ key: days.key, value: days.value });
  });

  it('says first what is wrong with its input', async () => {
    const { client } = await withKey();
    const { envelope } = await client.call(addBalance, { id: 1, balance: '-5' });
    expect(envelope).toMatchObject({ code: 400, data: { errors: { balance: expect.any(String) } } });
  });
});

describe('the code', () => {
  it('opens one session when it is given to two servers at once', async () => {
    const { client, secret } = await withKey();
    const googleCode = codeOf(secret, 1);
    const servers = [client, other.withToken(client.token)];
    const tries = Array.from({ length: 16 }, (_, n) => () => stepUp(servers[n % 2] ?? client, googleCode));
    const answers = await inParallel(tries, 16);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(await stepUp(client, googleCode)).toMatchObject({ success: false });
  });

  it('is no recovery code, nor another operator’s', async () => {
    const mine = await withKey();
    const theirs = await withKey();
    const wrong = { success: false, data: { errors: { googleCode: '验证码错误或已使用过' } } };
    expect(await stepUp(mine.client, mine.codes[0] ?? '')).toMatchObject(wrong);
    expect(await stepUp(mine.client, codeOf(theirs.secret, 1))).toMatchObject(wrong);
    expect(await stepUp(mine.client, mine.used)).toMatchObject(wrong);
  });

  it('that is wrong five times closes the question, and not the account', async () => {
    const { client, secret, username, codes } = await withKey();
    for (let n = 0; n < 5; n++) expect((await stepUp(client, '000000')).code).toBe(400);
    const closed = await client.call(confirmStepUp, { googleCode: codeOf(secret, 1) });
    expect(closed.status).toBe(429);
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(25);
    const again = await server.anonymous.call(login, { username, password: PASSWORD, googleCode: codes[0] });
    expect(again.envelope.success).toBe(true);
  });

  it('is asked of nobody without a key', async () => {
    const { username } = await buildOperator(server.db);
    expect((await stepUp(await server.as(username, PASSWORD), '123456')).msg).toBe(
      '您尚未绑定谷歌验证，请先在“安全中心”绑定',
    );
  });

  it('lets reading go on', async () => {
    const { client } = await withKey();
    expect((await client.call(listOperators, {})).envelope.success).toBe(true);
  });
});
