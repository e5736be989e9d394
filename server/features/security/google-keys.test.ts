import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beginGoogleKey,
  confirmGoogleKey,
  confirmStepUp,
  getOwnGoogleKey,
  renewRecoveryCodes,
} from '#contract/google-keys.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { cleanGoogleKey, resetGoogleKey } from '#contract/operators.ts';
import { login } from '#contract/sign-in.ts';
import { isSteppedUp } from '#server/access/step-up-store.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { inParallel } from '#server/testing/parallel.ts';
import type { TestClient } from '#server/testing/test-client.ts';
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

let addresses = 0;
const signIn = (username: string, googleCode?: string, at = server) =>
  at.anonymous.call(
    login,
    { username, password: PASSWORD, ...(googleCode ? { googleCode } : {}) },
    { headers: { 'x-forwarded-for': `10.2.${addresses >> 8}.${addresses++ & 255}` } },
  );
const ownKey = async (client: TestClient) => (await client.call(getOwnGoogleKey, {})).envelope.data;

async function signedIn() {
  const operator = await buildOperator(server.db);
  return { ...operator, client: await server.as(operator.username, PASSWORD) };
}

/** An operator who has bound a key by themselves, with the code that is used up for it; the next step's is still good. */
async function bound() {
  const operator = await signedIn();
  const begun = await operator.client.call(beginGoogleKey, { password: PASSWORD });
  const secret = begun.envelope.data?.secret ?? '';
  const used = codeOf(secret);
  const confirmed = await operator.client.call(confirmGoogleKey, { googleCode: used });
  return { ...operator, secret, used, codes: confirmed.envelope.data?.codes ?? [] };
}
const WRONG = '验证码错误或已使用过';
const nowhere = '账号、密码或谷歌验证码错误';

describe('binding one’s own key', () => {
  it('takes the password, and counts for nothing before a first code', async () => {
    const { username, client } = await signedIn();
    const refused = await client.call(beginGoogleKey, { password: 'not mine at all' });
    expect(refused.envelope).toMatchObject({
      success: false,
      data: { errors: { password: '登录密码错误' } },
    });
    const { envelope } = await client.call(beginGoogleKey, { password: PASSWORD });
    expect(envelope.data?.qrCode).toMatch(/^data:image\/png;base64,/);
    expect(await ownKey(client)).toEqual({ bound: false, recoveryCodesLeft: 0 });
    expect((await signIn(username)).envelope.success).toBe(true);
  });

  it('is confirmed by a first code, which is used up by it, and gives ten recovery codes once', async () => {
    const { id, username, client, secret, used, codes } = await bound();
    expect(codes).toHaveLength(10);
    // No other is fresher.
    const { id: sessionId } = await server.db
      .selectFrom('session')
      .select('id')
      .where('operatorId', '=', id)
      .executeTakeFirstOrThrow();
    expect(await isSteppedUp(server.db, sessionId)).toBe(true);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    expect(await ownKey(client)).toEqual({ bound: true, recoveryCodesLeft: 10 });
    expect((await signIn(username)).envelope.msg).toBe(nowhere);
    expect((await signIn(username, used)).envelope.msg).toBe(nowhere);
    expect((await signIn(username, codeOf(secret, 1))).envelope.success).toBe(true);
  });

  it('ends the operator’s other sessions and keeps this one', async () => {
    const { username, client } = await signedIn();
    const beside = await other.as(username, PASSWORD);
    const { envelope } = await client.call(beginGoogleKey, { password: PASSWORD });
    await client.call(confirmGoogleKey, { googleCode: codeOf(envelope.data?.secret ?? '') });
    expect((await client.call(listCurrentMenus, {})).envelope.success).toBe(true);
    await expect
      .poll(async () => (await beside.call(listCurrentMenus, {})).envelope.code, { timeout: 1_000 })
      .toBe(401);
  });

  it('is refused with a wrong code, with none begun, and after ten minutes', async () => {
    const { id, client } = await signedIn();
    const confirm = async (googleCode: string) =>
      (await client.call(confirmGoogleKey, { googleCode })).envelope;
    expect((await confirm('123456')).msg).toBe('绑定已过期，请重新开始');
    const secret = (await client.call(beginGoogleKey, { password: PASSWORD })).envelope.data?.secret ?? '';
    expect(await confirm(codeOf(secret, 5))).toMatchObject({ data: { errors: { googleCode: WRONG } } });
    await sql`update pending_google_key set "createTime" = now() - interval '601 seconds' where "operatorId" = ${id}`.execute(
      server.db,
    );
    expect((await confirm(codeOf(secret))).msg).toBe('绑定已过期，请重新开始');
    const anew = (await client.call(beginGoogleKey, { password: PASSWORD })).envelope.data?.secret ?? '';
    await (await server.admin()).call(cleanGoogleKey, { id });
    expect((await confirm(codeOf(anew))).msg).toBe('绑定已过期，请重新开始');
    expect(await ownKey(client)).toMatchObject({ bound: false });
  });

  it('closes after five wrong codes in a row, also on the other server, with Retry-After', async () => {
    const { client } = await signedIn();
    const secret = (await client.call(beginGoogleKey, { password: PASSWORD })).envelope.data?.secret ?? '';
    const tries = Array.from({ length: 12 }, (_, n) => async () => {
      const at = n % 2 === 0 ? client : other.withToken(client.token);
      return at.call(confirmGoogleKey, { googleCode: codeOf(secret, 5 + n) });
    });
    const answers = await inParallel(tries, 12);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const closed = await client.call(confirmGoogleKey, { googleCode: codeOf(secret) });
    expect(closed.status).toBe(429);
    expect(closed.envelope.msg).toMatch(/^验证码错误次数过多，请 \d+ 秒后再试$/);
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(25);
    expect(await ownKey(client)).toMatchObject({ bound: false });
  });

  it('is open again once somebody else has reset or cleared the key', async () => {
    const admin = await server.admin();
    for (const renew of [resetGoogleKey, cleanGoogleKey]) {
      const { id, username, client } = await bound();
      const stepUp = (googleCode: string) => client.call(confirmStepUp, { googleCode });
      for (let n = 0; n < 5; n++) await stepUp('000000');
      expect((await stepUp('000000')).status).toBe(429);
      await admin.call(renew, { id });
      await admin.call(cleanGoogleKey, { id });
      const again = await server.as(username, PASSWORD);
      const begun = await again.call(beginGoogleKey, { password: PASSWORD });
      const code = codeOf(begun.envelope.data?.secret ?? '');
      expect((await again.call(confirmGoogleKey, { googleCode: code })).envelope.success).toBe(true);
    }
  });

  it('anew asks for a code of the old key or a recovery code, and the old one works until the new one is confirmed', async () => {
    const { username, client, secret, used, codes } = await bound();
    const begin = (code?: string) =>
      client.call(beginGoogleKey, { password: PASSWORD, ...(code ? { code } : {}) });
    expect((await begin()).envelope).toMatchObject({ data: { errors: { code: WRONG } } });
    expect((await begin(used)).envelope.msg).toBe(WRONG);
    const begun = await begin(codes[0]);
    const next = begun.envelope.data?.secret ?? '';
    expect(next).not.toBe(secret);
    expect(await ownKey(client)).toEqual({ bound: true, recoveryCodesLeft: 9 });
    expect((await signIn(username, codeOf(secret, 1))).envelope.success).toBe(true);
    expect((await client.call(confirmGoogleKey, { googleCode: codeOf(next) })).envelope.success).toBe(true);
    expect(await ownKey(client)).toEqual({ bound: true, recoveryCodesLeft: 10 });
    expect((await signIn(username, codeOf(secret))).envelope.msg).toBe(nowhere);
    expect((await signIn(username, codeOf(next, 1))).envelope.success).toBe(true);
    expect((await signIn(username, codes[1])).envelope.msg).toBe(nowhere);
  });

  it('a key that was confirmed once is not confirmed again, from two servers at once', async () => {
    const { client } = await signedIn();
    const secret = (await client.call(beginGoogleKey, { password: PASSWORD })).envelope.data?.secret ?? '';
    const elsewhere = other.withToken(client.token);
    const answers = await Promise.all(
      [client, elsewhere].map((one) => one.call(confirmGoogleKey, { googleCode: codeOf(secret) })),
    );
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  });
});

describe('a recovery code', () => {
  it('takes the place of the Google code once, in whatever way it is typed, told and written down', async () => {
    const { id, username, codes } = await bound();
    const [code = ''] = codes;
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
    const msg = '登录成功，使用了一个恢复码，还剩 9 个';
    expect((await signIn(username, typed)).envelope).toMatchObject({ success: true, msg });
    expect((await signIn(username, code)).envelope.msg).toBe(nowhere);
    const admin = await server.admin();
    const { data } = (await admin.call(pageLoginRecords, { userName: username })).envelope;
    expect(data?.data.slice(0, 2)).toMatchObject([
      { operatorId: id, outcome: 'REJECTED' },
      { operatorId: id, outcome: 'SUCCESS', msg: `${msg}（新地址）` },
    ]);
  });

  it('of somebody else opens nothing', async () => {
    const mine = await bound();
    const theirs = await bound();
    expect((await signIn(mine.username, theirs.codes[0])).envelope.msg).toBe(nowhere);
    expect((await signIn(theirs.username, theirs.codes[0])).envelope.success).toBe(true);
  });

  it('stands nowhere in the database or the record in clear', async () => {
    const { client, codes } = await bound();
    const headers = { 'idempotency-key': randomUUID() };
    await client.call(getOwnGoogleKey, {}, { headers });
    const { rows } = await sql<{ text: string }>`
      select string_agg(t::text, ' ') as text from (
        select to_jsonb(r)::text as t from recovery_code r union all select to_jsonb(c)::text from change_record c
        union all select to_jsonb(k)::text from idempotency_key k) all_rows`.execute(server.db);
    for (const code of codes) expect(rows[0]?.text.includes(code)).toBe(false);
  });

  it('is gone with the key: cleared, or reset by somebody else', async () => {
    const { id, username, codes, client } = await bound();
    const admin = await server.admin();
    await admin.call(resetGoogleKey, { id });
    expect((await signIn(username, codes[0])).envelope.msg).toBe(nowhere);
    await admin.call(cleanGoogleKey, { id });
    expect((await client.call(getOwnGoogleKey, {})).envelope.code).toBe(401);
    const again = await server.as(username, PASSWORD);
    expect(await ownKey(again)).toEqual({ bound: false, recoveryCodesLeft: 0 });
  });
});

describe('new recovery codes', () => {
  it('take the password and a code, and end the earlier ones', async () => {
    const { username, client, secret, used, codes } = await bound();
    const fresh = codeOf(secret, 1);
    const renew = async (password: string, googleCode: string) =>
      (await client.call(renewRecoveryCodes, { password, googleCode })).envelope;
    expect((await renew('not mine at all', fresh)).msg).toBe('登录密码错误');
    expect((await renew(PASSWORD, used)).msg).toBe(WRONG);
    expect((await renew(PASSWORD, codes[0] ?? '')).msg).toBe(WRONG);
    const renewed = await renew(PASSWORD, fresh);
    expect(renewed.data?.codes).toHaveLength(10);
    expect((await renew(PASSWORD, fresh)).msg).toBe(WRONG);
    expect((await signIn(username, codes[0])).envelope.msg).toBe(nowhere);
    expect((await signIn(username, renewed.data?.codes[3])).envelope.success).toBe(true);
  });

  it('without a key there are none to be had', async () => {
    const { client } = await signedIn();
    const { envelope } = await client.call(renewRecoveryCodes, { password: PASSWORD, googleCode: '123456' });
    expect(envelope).toMatchObject({ success: false, msg: '您尚未绑定谷歌验证，请先在“安全中心”绑定' });
  });
});
