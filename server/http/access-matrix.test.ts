import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type EndpointName } from '#contract/all.ts';
import { type AnyEndpoint, basePath, type Grant } from '#contract/endpoint.ts';
import { type Explained, type Explanation, explainOperator, explainRole } from '#contract/explanations.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { rightsFor } from '#contract/missing-right.ts';
import { opensRoute, screens } from '#contract/screens.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const calls = Object.entries<AnyEndpoint>(contract) as [EndpointName, AnyEndpoint][];
const guarded = calls.filter(
  (call): call is [EndpointName, AnyEndpoint & { access: Grant }] => typeof call[1].access === 'object',
);
const open = calls.filter(([, { access }]) => access === 'signed-in');
const behindSignIn = calls.filter(([, { access }]) => access === 'signed-in' || typeof access === 'object');

let server: TestServer;
let admin: TestClient;

/** Somebody signed in, and what the server says of them when it is asked why they can or cannot. */
interface Holder {
  readonly id: number;
  readonly roleId: number;
  readonly token: string;
  readonly told: ReadonlyMap<string, Explanation>;
}
const holders = new Map<string, Promise<Holder>>();

const toldOf = ({ targets = [] }: Partial<Explained> = {}) =>
  new Map(targets.map((each): [string, Explanation] => [each.target, each]));
const explained = async (id: number) =>
  toldOf((await admin.call(explainOperator, { id })).envelope.data ?? undefined);

async function buildHolder(grants: readonly string[]): Promise<Holder> {
  const { username, password, id, roleId } = await buildOperator(server.db, { grants });
  const { token } = await server.as(username, password);
  return { id, roleId, token, told: await explained(id) };
}

function holderOf(grants: readonly string[]): Promise<Holder> {
  const key = grants.join();
  const known = holders.get(key) ?? buildHolder(grants);
  holders.set(key, known);
  return known;
}
const tokenOf = async (grants: readonly string[]): Promise<string> => (await holderOf(grants)).token;

/** The token of somebody who might do everything, until a second ago. */
let expired: string;
async function buildExpired(): Promise<string> {
  const { username, password, id } = await buildOperator(server.db, {
    grants: [...new Set(guarded.flatMap(([, { access }]) => access.button ?? access.screens))],
  });
  const { token } = await server.as(username, password);
  await sql`update access_token t set "expireTime" = now() - interval '1 second' from session s
    where s.id = t."sessionId" and s."operatorId" = ${id}`.execute(server.db);
  return token;
}

const pathOf = (endpoint: AnyEndpoint): string => basePath(endpoint) + endpoint.path.replace(/\{\w+\}/g, '1');
const send = (endpoint: AnyEndpoint, token?: string, path = pathOf(endpoint)) =>
  rawRequest(server.origin, {
    method: endpoint.verb,
    path,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  expired = await buildExpired();
});
afterAll(() => server.close());

describe('access matrix: every declared call', () => {
  it.each(behindSignIn)('%s without a token is HTTP 200 with code 401', async (_name, endpoint) => {
    const { status, envelope } = await send(endpoint);
    expect({ status, success: envelope?.success, code: envelope?.code }).toEqual({
      status: 200,
      success: false,
      code: 401,
    });
  });

  it.each(behindSignIn)('%s with an unknown token is HTTP 200 with code 401', async (_name, endpoint) => {
    const { status, envelope } = await send(endpoint, 'x'.repeat(43));
    expect({ status, code: envelope?.code }).toEqual({ status: 200, code: 401 });
  });

  it.each(behindSignIn)(
    '%s with a token whose time is over is HTTP 200 with code 401',
    async (_name, endpoint) => {
      const { status, envelope } = await send(endpoint, expired);
      expect({ status, code: envelope?.code }).toEqual({ status: 200, code: 401 });
    },
  );

  it.each(guarded)(
    '%s without the grant is HTTP 403 权限不足!, as explained, and says what is missing',
    async (name, endpoint) => {
      const { token, told } = await holderOf([]);
      const { status, envelope } = await send(endpoint, token);
      expect({ status, msg: envelope?.msg, success: envelope?.success, data: envelope?.data }).toEqual({
        status: 403,
        msg: '权限不足!',
        success: false,
        data: { call: name, needs: rightsFor(endpoint) },
      });
      const why = told.get(name);
      expect(why).toMatchObject({ verdict: 'DENIED', refusal: '权限不足!', opens: [] });
      // What is said to be missing is, in the words of the menus there are, what the refusal names.
      expect(why?.missing.map(({ menu }) => menu)).toEqual(expect.arrayContaining(rightsFor(endpoint)));
    },
  );

  it.each(guarded)('%s opens with nothing but its own grant, as explained', async (name, endpoint) => {
    const { button, screens } = endpoint.access;
    for (const grant of button ? [button] : screens) {
      const { token, told, roleId } = await holderOf([grant]);
      const { status, envelope } = await send(endpoint, token);
      expect([200, 400]).toContain(status);
      expect(envelope?.code).not.toBe(401);
      const why = told.get(name);
      expect(why).toMatchObject({ verdict: 'ALLOWED', refusal: null, missing: [] });
      expect(why?.opens.map(({ roles }) => roles.map(({ id }) => id))).toContainEqual([roleId]);
    }
  });

  it.each(open)('%s is open to whoever is signed in, as explained', async (name, endpoint) => {
    const { token, told } = await (name === 'logout' ? buildHolder([]) : holderOf([]));
    expect((await send(endpoint, token)).status).not.toBe(403);
    expect(told.get(name)).toMatchObject({ verdict: 'ALLOWED', refusal: null, opens: [] });
  });

  it('does not open a button’s call with its screen alone', async () => {
    const buttons = guarded.filter(([, { access }]) => access.button);
    expect(buttons.length).toBeGreaterThan(15);
    for (const [name, endpoint] of buttons) {
      for (const screen of endpoint.access.screens) {
        const { token, told } = await holderOf([screen]);
        expect((await send(endpoint, token)).status).toBe(403);
        expect(told.get(name)?.verdict).toBe('DENIED');
      }
    }
  });

  it('shows in the side bar the screens that are explained to be open, and no other', async () => {
    for (const grants of [[], ...screens.map(({ path }) => [path]), ['pms:role:add', '/main/pms/menu']]) {
      const { token, told } = await holderOf(grants);
      const { envelope } = await testClient(server.origin, token).call(listCurrentMenus, {});
      const shown = flatMenus(envelope.data ?? []);
      for (const { path } of screens) {
        const why = told.get(path);
        expect(why?.verdict).toBe(shown.some((menu) => opensRoute(menu, path)) ? 'ALLOWED' : 'DENIED');
        expect(why?.opens.length === 0).toBe(why?.verdict === 'DENIED');
      }
    }
  });

  it('explains roles by the same rights as whoever has them', async () => {
    for (const grants of [
      [],
      ['/main/pms/role'],
      ['pms:role:add'],
      ['/main/game/lottery', 'game:odds:add'],
    ]) {
      const { roleId, told } = await holderOf(grants);
      const { data } = (await admin.call(explainRole, { id: roleId })).envelope;
      const ofRole = toldOf(data ?? undefined);
      expect(ofRole.size).toBe(told.size);
      for (const [target, { verdict }] of told) expect(ofRole.get(target)?.verdict).toBe(verdict);
    }
  });
});

describe('access matrix: the same call spelt otherwise', () => {
  const spellings: [name: string, respell: (path: string) => string][] = [
    ['//', (path) => path.replace('/api/', '/api//')],
    ['/./', (path) => path.replace('/api/', '/api/./')],
    ['/x/../', (path) => path.replace('/api/', '/api/x/../')],
    ['%61', (path) => path.replace('/api/', '/api/').replace(/a(?=[^/]*$)/, '%61')],
    ['upper case', (path) => path.toUpperCase()],
    ['trailing slash', (path) => `${path}/`],
    ['semicolon', (path) => `${path};x=1`],
  ];

  it.each(spellings)('%s never opens what is not granted', async (_name, respell) => {
    const token = await tokenOf([]);
    for (const [, endpoint] of guarded) {
      const { status, envelope } = await send(endpoint, token, respell(pathOf(endpoint)));
      expect(envelope?.success).toBe(false);
      expect([400, 403, 404]).toContain(status);
    }
  });
});

describe('verbs and forgery', () => {
  const otherVerbs = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

  it.each(otherVerbs)('%s on any call is HTTP 400 and runs nothing', async (method) => {
    const token = await tokenOf([]);
    for (const [, endpoint] of calls) {
      const { status } = await rawRequest(server.origin, {
        method,
        path: pathOf(endpoint),
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status).toBe(400);
    }
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-purpose': 'prefetch' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])('a mutating GET with %j is refused and not stored by anyone', async (headers) => {
    const { token } = await server.admin();
    const mutating = calls.filter(
      ([, { kind, verb, access }]) => kind === 'command' && verb === 'GET' && access !== 'platform',
    );
    expect(mutating.length).toBeGreaterThan(20);
    for (const [, endpoint] of mutating) {
      const answer = await rawRequest(server.origin, {
        path: pathOf(endpoint),
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
      expect({ status: answer.status, cache: answer.headers['cache-control'] }).toEqual({
        status: 400,
        cache: 'no-store',
      });
    }
  });

  it('takes no token from the query or a cookie', async () => {
    const { token } = await server.admin();
    for (const [, endpoint] of behindSignIn) {
      const path = `${pathOf(endpoint)}?access_token=${token}&token=${token}`;
      const answer = await rawRequest(server.origin, {
        method: endpoint.verb,
        path,
        headers: { cookie: `access_token=${token}; token=${token}` },
      });
      expect(answer.envelope?.code).toBe(401);
    }
  });
});
