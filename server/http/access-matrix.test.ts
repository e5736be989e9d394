import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type EndpointName } from '#contract/all.ts';
import { type AnyEndpoint, basePath, type Grant } from '#contract/endpoint.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const calls = Object.entries<AnyEndpoint>(contract) as [EndpointName, AnyEndpoint][];
const guarded = calls.filter(
  (call): call is [EndpointName, AnyEndpoint & { access: Grant }] => typeof call[1].access === 'object',
);
const behindSignIn = calls.filter(([, { access }]) => access === 'signed-in' || typeof access === 'object');

let server: TestServer;
const tokens = new Map<string, string>();

async function tokenOf(grants: readonly string[]): Promise<string> {
  const key = grants.join();
  const known = tokens.get(key);
  if (known) return known;
  const { username, password } = await buildOperator(server.db, { grants });
  const { token } = await server.as(username, password);
  tokens.set(key, token);
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

  it.each(guarded)('%s without the grant is HTTP 403 权限不足!', async (_name, endpoint) => {
    const { status, envelope } = await send(endpoint, await tokenOf([]));
    expect({ status, msg: envelope?.msg, success: envelope?.success }).toEqual({
      status: 403,
      msg: '权限不足!',
      success: false,
    });
  });

  it.each(guarded)('%s opens with nothing but its own grant', async (_name, endpoint) => {
    const { button, screens } = endpoint.access;
    for (const grant of button ? [button] : screens) {
      const { status, envelope } = await send(endpoint, await tokenOf([grant]));
      expect([200, 400]).toContain(status);
      expect(envelope?.code).not.toBe(401);
    }
  });

  it('does not open a button’s call with its screen alone', async () => {
    const buttons = guarded.filter(([, { access }]) => access.button);
    expect(buttons.length).toBeGreaterThan(15);
    for (const [, endpoint] of buttons) {
      for (const screen of endpoint.access.screens) {
        expect((await send(endpoint, await tokenOf([screen]))).status).toBe(403);
      }
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
