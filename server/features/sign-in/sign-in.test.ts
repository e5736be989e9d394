import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listCurrentMenus } from '#contract/menus.ts';
import { cleanGoogleKey, deleteOperator, resetGoogleKey, updateOperator } from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import {
  login,
  logout,
  publicSettings,
  refreshToken,
  SESSION_HEADER,
  type Token,
} from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { testClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { successorsOf } from './token-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

// Each test comes from an address of its own: one with many failures is slowed down, and then its tests would be.
let address = '';
let addresses = 0;
beforeEach(() => {
  address = `10.1.${addresses >> 8}.${addresses++ & 255}`;
});
const signIn = (username: string, password: string, googleCode?: string) =>
  server.anonymous.call(
    login,
    { username, password, ...(googleCode ? { googleCode } : {}) },
    { headers: { 'x-forwarded-for': address } },
  );

describe('signing in', () => {
  it('answers the token object', async () => {
    const { username } = await buildOperator(server.db);
    const { status, envelope } = await signIn(username, PASSWORD);
    expect(status).toBe(200);
    expect(envelope.data).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'console' });
    expect(envelope.data?.access_token.length).toBeGreaterThanOrEqual(22);
  });

  it('answers the account’s own name, however it was typed', async () => {
    const { username } = await buildOperator(server.db);
    const names = [username, username.toUpperCase(), ` ${username} `];
    for (const typed of names)
      expect((await signIn(typed, PASSWORD)).envelope.data?.userName, typed).toBe(username);
  });

  it('never says which field was wrong', async () => {
    const { username } = await buildOperator(server.db);
    const wrongPassword = await signIn(username, 'not the password');
    const unknownName = await signIn('nobody-of-this-name', 'not the password');
    const codeUnasked = await signIn(username, 'not the password', '123456');
    expect(wrongPassword.envelope).toEqual(unknownName.envelope);
    expect(wrongPassword.envelope).toEqual(codeUnasked.envelope);
    expect(wrongPassword.envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '账号、密码或谷歌验证码错误',
    });
  });

  it.each([['known'], ['unknown']])(
    'closes a %s account after five failures in a row, with Retry-After',
    async (kind) => {
      const username =
        kind === 'known' ? (await buildOperator(server.db)).username : `ghost-${Math.random()}`;
      for (let i = 0; i < 5; i++) expect((await signIn(username, 'wrong')).status).toBe(200);
      const { status, headers, envelope } = await signIn(username, PASSWORD);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(25);
      expect(envelope.msg).toMatch(/^登录失败次数过多，请 \d+ 秒后再试$/);
    },
  );

  it('opens again when the wait is over, and doubles it with the next failure', async () => {
    const { username } = await buildOperator(server.db);
    for (let i = 0; i < 5; i++) await signIn(username, 'wrong');
    const waitIsOver = () =>
      sql`update sign_in_failure set "blockedUntil" = now() - interval '1 second' where subject = ${username}`.execute(
        server.db,
      );
    await waitIsOver();
    expect((await signIn(username, 'wrong')).status).toBe(200);
    const second = await signIn(username, PASSWORD);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(55);
    await waitIsOver();
    expect((await signIn(username, PASSWORD)).envelope.success).toBe(true);
    expect((await signIn(username, 'wrong')).status).toBe(200);
  });

  it('forgets the failures at a success', async () => {
    const { username } = await buildOperator(server.db);
    for (let round = 0; round < 2; round++) {
      address = `10.3.0.${round}`;
      for (let i = 0; i < 4; i++) await signIn(username, 'wrong');
      expect((await signIn(username, PASSWORD)).envelope.success).toBe(true);
    }
  });

  it('offers no sample account without sample data', async () => {
    expect((await server.anonymous.call(publicSettings, {})).envelope.data).toEqual({});
  });
});

describe('the Google code', () => {
  async function withKey() {
    const admin = await server.admin();
    const operator = await buildOperator(server.db);
    const { envelope } = await admin.call(resetGoogleKey, { id: operator.id });
    return { admin, operator, secret: envelope.data?.secret ?? '', answer: envelope.data };
  }

  it('is demanded once a key is set, taken once, and no longer asked when the key is cleared', async () => {
    const { admin, operator, secret, answer } = await withKey();
    expect(answer?.otpauthUrl).toContain('otpauth://totp/');
    expect(answer?.qrCode).toMatch(/^data:image\/png;base64,/);
    expect((await signIn(operator.username, PASSWORD)).envelope.success).toBe(false);
    const code = codeOf(secret);
    expect((await signIn(operator.username, PASSWORD, code)).envelope.success).toBe(true);
    expect((await signIn(operator.username, PASSWORD, code)).envelope.success).toBe(false);
    await admin.call(cleanGoogleKey, { id: operator.id });
    expect((await signIn(operator.username, PASSWORD)).envelope.success).toBe(true);
  });

  it('is taken exactly once by 20 parallel sign-ins', async () => {
    const { operator, secret } = await withKey();
    const code = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(operator.username, PASSWORD, code)),
    );
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  });

  it('is kept sealed: the secret stands nowhere in the database', async () => {
    const { secret } = await withKey();
    const { rows } = await sql<{ found: boolean }>`
      select exists(select from operator where encode("googleSecret", 'escape') like ${`%${secret}%`})
        or exists(select from change_record where to_jsonb(change_record)::text like ${`%${secret}%`})
        or exists(select from idempotency_key where encode(answer, 'escape') like ${`%${secret}%`}) as found`.execute(
      server.db,
    );
    expect(rows[0]?.found).toBe(false);
  });
});

describe('tokens', () => {
  const pair = async () => {
    const operator = await buildOperator(server.db);
    const { envelope } = await signIn(operator.username, PASSWORD);
    if (!envelope.data) throw new Error('sign-in failed');
    return { operator, tokens: envelope.data };
  };
  const lives = async (token: string) =>
    (await testClient(server.origin, token).call(listCurrentMenus, {})).envelope.code === 200;

  it('refresh once into a new pair', async () => {
    const { tokens } = await pair();
    const renewed = await server.anonymous.call(refreshToken, { refresh_token: tokens.refresh_token });
    expect(renewed.envelope.data?.refresh_token).not.toBe(tokens.refresh_token);
    expect(await lives(renewed.envelope.data?.access_token ?? '')).toBe(true);
  });

  it('are renewed under the name that their operator has by then', async () => {
    const { operator, tokens } = await pair();
    const userName = `renamed-${operator.id}`;
    await (await server.admin()).call(updateOperator, { id: operator.id, userName });
    const renewed = await server.anonymous.call(refreshToken, { refresh_token: tokens.refresh_token });
    expect(renewed.envelope.data?.userName).toBe(userName);
  });

  const spend = (token: string) => server.anonymous.call(refreshToken, { refresh_token: token });
  const tokensOf = ({ envelope }: Awaited<ReturnType<typeof spend>>) => {
    if (!envelope.data) throw new Error(`no tokens: ${envelope.msg}`);
    return envelope.data;
  };
  const spentBefore = (sessionId: string, seconds: number) =>
    sql`update refresh_token set "spendTime" = now() - make_interval(secs => ${seconds})
      where "sessionId" = ${sessionId}::uuid and "spendTime" is not null`.execute(server.db);

  /** The same pair told again, of whose time some may be over. */
  const asLater = (told: Token | undefined) => ({
    ...told,
    expires_in: expect.toSatisfy((left: number) => left > 890 && left <= 900),
  });

  it('20 parallel uses of one refresh token all get the one pair that follows it', async () => {
    const { tokens } = await pair();
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(tokens.refresh_token)));
    const [first, ...others] = answers.map(tokensOf);
    for (const other of others) expect(other).toEqual(asLater(first));
    expect(await lives(first?.access_token ?? '')).toBe(true);
    const { rows } = await sql<{ access: number; refresh: number }>`
      select (select count(*)::int from access_token where "sessionId" = ${tokens.jti}::uuid) as access,
        (select count(*)::int from refresh_token where "sessionId" = ${tokens.jti}::uuid) as refresh`.execute(
      server.db,
    );
    expect(rows[0]).toEqual({ access: 2, refresh: 2 });
  });

  it('whose answer was lost are answered again for some seconds, then revoke the family', async () => {
    const { tokens } = await pair();
    const lost = tokensOf(await spend(tokens.refresh_token));
    expect(tokensOf(await spend(tokens.refresh_token))).toEqual(asLater(lost));
    // A console has given up waiting by then, and asks again.
    await spentBefore(tokens.jti, 20);
    expect(tokensOf(await spend(tokens.refresh_token))).toEqual(asLater(lost));
    await spentBefore(tokens.jti, 31);
    expect((await spend(tokens.refresh_token)).envelope).toMatchObject({ success: false, code: 401 });
    expect(await lives(lost.access_token)).toBe(false);
    expect(await lives(tokens.access_token)).toBe(false);
    expect((await spend(lost.refresh_token)).envelope.code).toBe(401);
  });

  it('revoke the family when used again after their successor was used, also at once', async () => {
    const { tokens } = await pair();
    const second = tokensOf(await spend(tokens.refresh_token));
    const third = tokensOf(await spend(second.refresh_token));
    expect(await lives(third.access_token)).toBe(true);
    expect((await spend(tokens.refresh_token)).envelope.code).toBe(401);
    expect(await lives(third.access_token)).toBe(false);
    expect((await spend(third.refresh_token)).envelope.code).toBe(401);
  });

  it('are not answered again once the session was left', async () => {
    const { tokens } = await pair();
    const renewed = tokensOf(await spend(tokens.refresh_token));
    await testClient(server.origin, renewed.access_token).call(logout, {});
    expect((await spend(tokens.refresh_token)).envelope.code).toBe(401);
  });

  it('that follow a spent one stand nowhere in the database, and another secret makes others of it', async () => {
    const { tokens } = await pair();
    const renewed = tokensOf(await spend(tokens.refresh_token));
    for (const token of [renewed.access_token, renewed.refresh_token]) {
      const { rows } = await sql<{ found: boolean }>`
        select exists(select from access_token a where to_jsonb(a)::text like ${`%${token}%`} or a.hash = ${Buffer.from(token, 'base64url')})
          or exists(select from refresh_token r where to_jsonb(r)::text like ${`%${token}%`} or r.hash = ${Buffer.from(token, 'base64url')})
          as found`.execute(server.db);
      expect(rows[0]?.found).toBe(false);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
    const one = createVault(Buffer.alloc(32, 1));
    const other = createVault(Buffer.alloc(32, 2));
    expect(successorsOf(one, tokens.refresh_token)).toEqual(successorsOf(one, tokens.refresh_token));
    expect(successorsOf(one, tokens.refresh_token)).not.toEqual(successorsOf(other, tokens.refresh_token));
  });

  it('are refused by name where the caller believes to be in another session, and nothing is done', async () => {
    const [{ tokens: mine }, { tokens: theirs }] = [await pair(), await pair()];
    const client = testClient(server.origin, theirs.access_token);
    const change = { oldPassword: PASSWORD, newPassword: 'another long one', newConfirm: 'another long one' };
    const believing = (jti: string) => ({ headers: { [SESSION_HEADER]: jti } });
    const { status, envelope } = await client.call(changePassword, change, believing(mine.jti));
    expect(status).toBe(200);
    expect(envelope).toMatchObject({ success: false, code: 400, msg: '登录的操作员已更换，请重新加载页面' });
    expect((await client.call(logout, {}, believing(mine.jti))).envelope.success).toBe(false);
    expect((await client.call(listCurrentMenus, {}, believing(mine.jti))).envelope.success).toBe(false);
    expect(await lives(theirs.access_token)).toBe(true);
    expect((await client.call(changePassword, change, believing(theirs.jti))).envelope.success).toBe(true);
  });

  it('end with logout, on the next request', async () => {
    const { tokens } = await pair();
    expect(await lives(tokens.access_token)).toBe(true);
    await testClient(server.origin, tokens.access_token).call(logout, {});
    expect(await lives(tokens.access_token)).toBe(false);
    expect(
      (await server.anonymous.call(refreshToken, { refresh_token: tokens.refresh_token })).envelope.code,
    ).toBe(401);
  });

  it('end when their time is over', async () => {
    const { tokens } = await pair();
    await sql`update access_token set "expireTime" = now() - interval '1 second' where "sessionId" = ${tokens.jti}::uuid`.execute(
      server.db,
    );
    expect(await lives(tokens.access_token)).toBe(false);
  });

  it('end with the operator', async () => {
    const { operator, tokens } = await pair();
    expect(await lives(tokens.access_token)).toBe(true);
    await (await server.admin()).call(deleteOperator, { id: operator.id });
    expect(await lives(tokens.access_token)).toBe(false);
  });

  it('of the operator’s other sessions end with a password change', async () => {
    const { operator, tokens } = await pair();
    const other = (await signIn(operator.username, PASSWORD)).envelope.data?.access_token ?? '';
    const mine = testClient(server.origin, tokens.access_token);
    const change = { oldPassword: PASSWORD, newPassword: 'another long one', newConfirm: 'another long one' };
    expect((await mine.call(changePassword, change)).envelope.success).toBe(true);
    expect(await lives(tokens.access_token)).toBe(true);
    expect(await lives(other)).toBe(false);
    expect((await signIn(operator.username, PASSWORD)).envelope.success).toBe(false);
    expect((await signIn(operator.username, 'another long one')).envelope.success).toBe(true);
  });
});

/** The same password as it may come from a Chinese input method. */
const WIDE = String.fromCharCode(PASSWORD.charCodeAt(0) + 0xfee0) + PASSWORD.slice(1);

describe('changing the password', () => {
  it.each([
    [{}, '旧密码不能为空'],
    [{ oldPassword: 'x' }, '新密码不能为空'],
    [{ oldPassword: 'x', newPassword: 'y' }, '确认密码不能为空'],
    [{ oldPassword: 'x', newPassword: 'y', newConfirm: 'z' }, '新密码不一致'],
    [{ oldPassword: 'x', newPassword: 'short', newConfirm: 'short' }, '新密码至少需要 8 个字符'],
    [{ oldPassword: PASSWORD, newPassword: PASSWORD, newConfirm: PASSWORD }, '新密码不能与旧密码相同'],
    [{ oldPassword: PASSWORD, newPassword: WIDE, newConfirm: WIDE }, '新密码不能与旧密码相同'],
    [{ oldPassword: 'wrong one', newPassword: 'long enough', newConfirm: 'long enough' }, '旧密码错误'],
  ])('%j answers %s and changes nothing', async (form, msg) => {
    const { username } = await buildOperator(server.db);
    const client = await server.as(username, PASSWORD);
    expect((await client.call(changePassword, form)).envelope).toMatchObject({
      success: false,
      code: 400,
      msg,
    });
    expect((await signIn(username, PASSWORD)).envelope.success).toBe(true);
  });
});
