import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import { type AnyEndpoint, basePath, pathFields } from '#contract/endpoint.ts';
import { buildOperator, PASSWORD } from './build-operator.ts';
import { rawRequest } from './raw-request.ts';
import { startTestServer, type TestServer } from './test-server.ts';

// Calls that end or narrow the session they are made in, or close their operator's account to it, have a session for each body.
const ending = new Set(['logout', 'changePassword', 'tryRole']);

let server: TestServer;

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    'NaN',
    'Infinity',
    '-5',
    '1e3',
    '0x10',
    '１２',
    'null',
    'true',
    '[]',
    '{}',
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%',
    '_',
    '\r\nX: y',
    '=1+1',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ minLength: 300, maxLength: 3_000 }),
  fc.integer(),
  fc.double(),
  fc.bigInt().map(String),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.anything({ maxDepth: 4 }), { maxLength: 4 }),
  fc.dictionary(fc.string({ maxLength: 8 }), fc.anything({ maxDepth: 4 }), { maxKeys: 3 }),
);

/** A body with some of the call's own fields, wrong ones, doubled ones and hostile names. */
const bodyOf = (endpoint: AnyEndpoint) => {
  const names = 'shape' in endpoint.input ? Object.keys(endpoint.input.shape as object) : [];
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(names.length > 0 ? names : ['x'])) },
    fc.constantFrom('__proto__', 'constructor', 'id', 'totalAmount', 'x[]'),
  );
  return fc.record({
    fields: fc.array(fc.tuple(name, odd), { maxLength: 8 }),
    form: fc.boolean(),
    path: fc.array(odd, { minLength: 3, maxLength: 3 }),
  });
};

type Body = { fields: [string, unknown][]; form: boolean; path: unknown[] };
const textOf = (value: unknown): string => {
  try {
    return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).toWellFormed();
  } catch {
    return 'unserialisable';
  }
};
const jsonOf = (fields: [string, unknown][]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value === undefined ? 'null' : (JSON.stringify(value, (_k, v) => (typeof v === 'bigint' ? String(v) : v)) ?? 'null')}`).join(',')}}`;

function requestOf(endpoint: AnyEndpoint, { fields, form, path }: Body) {
  let url: string = basePath(endpoint) + endpoint.path;
  for (const [i, field] of pathFields(endpoint).entries()) {
    url = url.replace(`{${field}}`, encodeURIComponent(textOf(path[i]).slice(0, 400)) || '%20');
  }
  const formText = new URLSearchParams(
    fields.map(([name, value]) => [name.toWellFormed(), textOf(value)]),
  ).toString();
  if (endpoint.verb === 'GET') return { method: 'GET', path: `${url}?${formText.slice(0, 4_000)}` };
  const headers = { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' };
  return { method: 'POST', path: url, headers, body: form ? formText : jsonOf(fields) };
}

let reader: string | undefined;

/**
 * How many rows every table has and the sum of their versions: moves with any change but the records of calls and sign-ins, and the counts of lists, which
 * count that record too (another list's count moves with its own rows only).
 */
async function state(): Promise<string> {
  if (reader === undefined) {
    const { rows } = await sql<{ name: string }>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'
        and tablename not in ('change_record', 'idempotency_key', 'login_record', 'sign_in_failure', 'session_use', 'list_delta', 'list_count')
        order by 1`.execute(server.db);
    const parts = rows.map(
      ({ name }) => `(select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from ${name})`,
    );
    reader = `select array_to_string(array[${parts.join(', ')}], ' ') as state`;
  }
  const { rows } = await sql<{ state: string }>`${sql.raw(reader)}`.execute(server.db);
  return rows[0]?.state ?? '';
}

/** Whoever may make the call. */
async function callerOf(name: string, { access }: AnyEndpoint): Promise<string> {
  if (access === 'platform') return server.site().token;
  if (!ending.has(name)) return (await server.admin()).token;
  const { username } = await buildOperator(server.db, { grants: ['/main/pms/role'] });
  return (await server.as(username, PASSWORD)).token;
}

/** A caller of no known address: those who fail to sign in from one are made to wait there. */
const fromAnywhere = ({ access }: AnyEndpoint): Record<string, string> =>
  access === 'public' ? { 'x-forwarded-for': `10.${[0, 0, 0].map(() => randomInt(256)).join('.')}` } : {};

async function demandSense(name: string, endpoint: AnyEndpoint, numRuns: number): Promise<void> {
  const isCommand = endpoint.kind === 'command';
  let before: string | undefined;
  await fc.assert(
    fc.asyncProperty(bodyOf(endpoint), async (body) => {
      const token = await callerOf(name, endpoint);
      if (isCommand && (before === undefined || ending.has(name))) before = await state();
      const request = requestOf(endpoint, body);
      const { status, envelope } = await rawRequest(server.origin, {
        ...request,
        headers: { authorization: `Bearer ${token}`, ...fromAnywhere(endpoint), ...request.headers },
      });
      expect(status, JSON.stringify(envelope)).toBeLessThan(500);
      expect(envelope).toMatchObject({ success: expect.any(Boolean), code: expect.any(Number) });
      if (envelope?.success) {
        before = undefined;
        return;
      }
      expect(envelope?.msg).toMatch(/[\u4e00-\u9fff]/);
      if (isCommand) expect(await state()).toBe(before);
    }),
    { numRuns },
  );
}

/** Sends so many odd bodies to every call of the contract, as the tests of a file. */
export function fuzzCalls(numRuns: number): void {
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  describe('fuzz: whatever is sent to a call', () => {
    it.each(Object.entries<AnyEndpoint>(contract))(
      '%s answers with an envelope in Chinese, never a fault, and a refusal changes nothing',
      (name, endpoint) => demandSense(name, endpoint, numRuns),
    );
  });
}
