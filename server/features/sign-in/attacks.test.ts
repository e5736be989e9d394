import { get } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { exportFormats, PROGRESS_HEADER } from '#contract/export-formats.ts';
import { beginGoogleKey, confirmGoogleKey, confirmStepUp } from '#contract/google-keys.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { disableOperator, enableOperator, resetOperatorPassword } from '#contract/operators.ts';
import { login, refreshToken, SESSION_HEADER } from '#contract/sign-in.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let other: TestServer;
let accountId: number;
const tried: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  ({ accountId } = await buildUser(server.db));
});
afterAll(async () => {
  console.log(['what was tried, on two servers:', ...tried].join('\n  '));
  await other.close();
  await server.close();
});

const servers = () => [server, other];
let addresses = 0;
const signIn = (at: TestServer, username: string, googleCode?: string, password = PASSWORD) =>
  at.anonymous.call(
    login,
    { username, password, ...(googleCode ? { googleCode } : {}) },
    { headers: { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses++ & 255}` } },
  );

/** An operator with full rights and a key; its first code is used up, the next one is good. */
async function victim() {
  const operator = await buildOperator(server.db, { grants: await allGrants(server.db) });
  const token = (await signIn(server, operator.username)).envelope.data;
  if (!token) throw new Error('sign-in failed');
  const client = server.withToken(token.access_token);
  const begun = await client.call(beginGoogleKey, { password: PASSWORD });
  const secret = begun.envelope.data?.secret ?? '';
  const bound = await client.call(confirmGoogleKey, { googleCode: codeOf(secret) });
  await sql`update session set "stepUpTime" = null where id = ${token.jti}::uuid`.execute(server.db);
  return { ...operator, token, client, secret, codes: bound.envelope.data?.codes ?? [] };
}

/** So many tries at once, turn about on both servers; how many came through. */
async function throng(tries: number, one: (at: TestServer) => Promise<{ envelope: { success: boolean } }>) {
  const tasks = Array.from({ length: tries }, (_, n) => () => one(servers()[n % 2] ?? server));
  return (await inParallel(tasks, tries)).filter(({ envelope }) => envelope.success).length;
}

it('a name that nobody has costs a server what a wrong password costs, and is answered alike', async () => {
  const { username } = await buildOperator(server.db);
  const cost: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const answers = new Set<string>();
  const attempt = async (kind: keyof typeof cost, name: string) => {
    const before = process.cpuUsage();
    const { status, envelope } = await signIn(server, name, undefined, 'not the password');
    const { user, system } = process.cpuUsage(before);
    cost[kind].push(user + system);
    answers.add(JSON.stringify([status, envelope]));
  };
  // Four wrong ones close no account.
  for (const round of [1, 2, 3, 4]) {
    await attempt('known', username);
    await attempt('unknown', `${username}-${round}`);
  }
  expect(answers.size).toBe(1);
  // Whatever else this process did meanwhile is added to some: the cheapest of each was least disturbed.
  const [known, unknown] = [Math.min(...cost.known), Math.min(...cost.unknown)];
  tried.push(
    `an unknown name: ${Math.round(unknown / 1_000)} ms of a processor, a known one ${Math.round(known / 1_000)}`,
  );
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});

it('a Google code replayed at once signs in once, and never again', async () => {
  const { username, secret } = await victim();
  const code = codeOf(secret, 1);
  // The line before hashing has twelve places for an address; each of these has one of its own.
  const through = await throng(16, (at) => signIn(at, username, code));
  tried.push(`16 sign-ins at once with one Google code: ${through} came through`);
  expect(through).toBe(1);
});

it('a Google code replayed at once steps up once, and is spent for a sign-in too', async () => {
  const { username, secret, token } = await victim();
  const googleCode = codeOf(secret, 1);
  const through = await throng(16, (at) =>
    at.withToken(token.access_token).call(confirmStepUp, { googleCode }),
  );
  const again = (await signIn(other, username, googleCode)).envelope.success;
  tried.push(
    `16 step-ups at once with one code: ${through} came through; a sign-in with it after that: ${again}`,
  );
  expect([through, again]).toEqual([1, false]);
});

it('a code of five minutes ago, a step-up of over five minutes ago, another session’s and another operator’s open nothing', async () => {
  const { client, secret, token, username, codes } = await victim();
  const credit = async (by = client, headers = {}) =>
    (await by.call(addBalance, { id: accountId, balance: '1' }, { headers })).envelope.code;
  const stale = (await client.call(confirmStepUp, { googleCode: codeOf(secret, -10) })).envelope.success;
  await client.call(confirmStepUp, { googleCode: codeOf(secret, 1) });
  const fresh = await credit();
  const second = (await signIn(other, username, codes[0])).envelope.data;
  const beside = other.withToken(second?.access_token ?? '');
  const foreign = await credit(beside);
  const disguised = await credit(beside, { [SESSION_HEADER]: token.jti });
  await sql`update session set "stepUpTime" = clock_timestamp() - interval '301 seconds' where id = ${token.jti}::uuid`.execute(
    server.db,
  );
  const old = await credit();
  tried.push(
    `a code of five minutes ago steps up: ${stale}`,
    `manual credit after a fresh code: ${fresh}; 301 s later: ${old}`,
    `from the same operator's other session: ${foreign}; with the header naming the stepped-up one: ${disguised}`,
  );
  expect({ stale, fresh, old, foreign, disguised }).toEqual({
    stale: false,
    fresh: 200,
    old: 428,
    foreign: 428,
    disguised: 400,
  });
});

it('a recovery code used 64 times at once signs in once', async () => {
  const { username, codes } = await victim();
  const through = await throng(64, (at) => signIn(at, username, codes[0]));
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from login_record where "userName" = ${username} and outcome = 'SUCCESS' and msg like '%恢复码%'`.execute(
    server.db,
  );
  tried.push(
    `64 sign-ins at once with one recovery code: ${through} came through, the log has ${rows[0]?.n}`,
  );
  expect([through, rows[0]?.n]).toEqual([1, 1]);
});

/**
 * Begins an export on a server and takes its first bytes only; the rest flows when told, and the end says whether it came whole. The end is
 * listened for from the first byte on: an export may break off before its rest is asked for.
 */
function beginExport(at: TestServer, token: string) {
  const url = new URL(`/api${pageLoginRecords.path}`, at.origin);
  return new Promise<{ rest: () => Promise<'whole' | 'broken off'> }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: exportFormats.csv, [PROGRESS_HEADER]: '1' };
    const request = get(url, { method: 'POST', headers }, (response) => {
      const end = new Promise<'whole' | 'broken off'>((settle) => {
        response.once('end', () => settle('whole'));
        response.once('error', () => settle('broken off'));
        response.once('close', () => settle('broken off'));
      });
      response.once('data', () => {
        response.pause();
        const rest = () => {
          response.resume();
          return end;
        };
        resolve({ rest });
      });
    });
    request.on('error', reject);
  });
}

it('a disabled operator’s session, export under way and refresh token are over on the other server', async () => {
  await sql`insert into login_record ("userName", address, outcome, msg)
    select 'flood', '192.0.2.1', 'REJECTED', repeat(md5(i::text), 60) from generate_series(1, 12000) i`.execute(
    server.db,
  );
  const { id, token, username } = await victim();
  const there = other.withToken(token.access_token);
  expect((await there.call(listCurrentMenus, {})).envelope.code).toBe(200);
  const file = await beginExport(other, token.access_token);
  await (await server.admin()).call(disableOperator, { id });
  const disabled = performance.now();
  await expect
    .poll(async () => (await there.call(listCurrentMenus, {})).envelope.code, { interval: 20 })
    .toBe(401);
  const ms = Math.round(performance.now() - disabled);
  const end = await file.rest();
  const renewals = await throng(8, (at) =>
    at.anonymous.call(refreshToken, { refresh_token: token.refresh_token }),
  );
  await (await server.admin()).call(enableOperator, { id });
  const revived = (await there.call(listCurrentMenus, {})).envelope.code;
  tried.push(
    `a disabled operator's session on the other server is over after ${ms} ms, its export there: ${end}`,
    `8 renewals of its refresh token at once: ${renewals}; its session after enabling again: ${revived}`,
  );
  expect(ms).toBeLessThan(1_000);
  expect({ end, renewals, revived }).toEqual({ end: 'broken off', renewals: 0, revived: 401 });
  expect((await signIn(server, username)).envelope.success).toBe(false);
});

it('sign-ins under way while the operator is disabled or the password reset leave no session that works', async () => {
  const { id, username } = await buildOperator(server.db);
  const admin = await server.admin();
  const attempts = Array.from({ length: 8 }, (_, n) => signIn(servers()[n % 2] ?? server, username));
  const [answers] = await Promise.all([Promise.all(attempts), admin.call(disableOperator, { id })]);
  const works = async (data: { access_token: string } | null) =>
    data !== null && (await server.withToken(data.access_token).call(listCurrentMenus, {})).envelope.success;
  const alive = (await Promise.all(answers.map(({ envelope }) => works(envelope.data)))).filter(
    Boolean,
  ).length;
  await admin.call(enableOperator, { id });
  const later = (await Promise.all(answers.map(({ envelope }) => works(envelope.data)))).filter(
    Boolean,
  ).length;
  tried.push(
    `8 sign-ins at once with a disabling: ${alive} sessions work after it, ${later} after enabling again`,
  );
  expect([alive, later]).toEqual([0, 0]);
});

it('a session with a temporary password can do nothing but change it, by whatever way', async () => {
  const { id, username } = await buildOperator(server.db, { grants: await allGrants(server.db) });
  await (await server.admin()).call(resetOperatorPassword, { id, password: 'given by somebody else' });
  const { data } = (await signIn(other, username, undefined, 'given by somebody else')).envelope;
  const token = data?.access_token ?? '';
  const codes: unknown[] = [];
  for (const [method, path] of [
    ['GET', `/api/user/account/addBalance/${accountId}/1`],
    ['POST', '/api/pms/loginRecord/page'],
    ['POST', '/api/system/safe/googleKey/begin'],
    ['GET', '/api/pms/menu/listByCurrentUser'],
  ] as const) {
    const headers = { authorization: `Bearer ${token}`, accept: exportFormats.csv };
    codes.push((await rawRequest(other.origin, { method, path, headers })).envelope?.code);
  }
  const renewed = await other.anonymous.call(refreshToken, { refresh_token: data?.refresh_token ?? '' });
  const after = other.withToken(renewed.envelope.data?.access_token ?? '');
  codes.push((await after.call(listCurrentMenus, {})).envelope.code);
  tried.push(
    `with a temporary password: credit, export, key, menus, menus after a renewal: ${codes.join(', ')}`,
  );
  expect(codes).toEqual([412, 412, 412, 412, 412]);
});
