import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import { loginChatByCode, loginChatByPassword } from '#contract/chat-sessions.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { metaOf, secret } from '#contract/fields.ts';
import { addMailConfig } from '#contract/mail-configs.ts';
import { addOperator, resetGoogleKey } from '#contract/operators.ts';
import { bareSchema, elementOf, shapeOf } from '#contract/row-schema.ts';
import { changePassword } from '#contract/security.ts';
import { login, refreshToken } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

/*
 * Every secret field, those in paths too, gets a word of its own and goes through success, refusal, denial and faults
 * at the most talkative log level. None of the words may then stand in the log, the database or another answer.
 */
let database: TestDatabase;
let origin: string;
let close: () => Promise<unknown>;
const log: string[] = [];
const answers: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const config = testConfig({ logLevel: 'trace', platformApiKey: 'canary-platform-key-000' });
  const app = await buildApp({
    config,
    connections: connectionsOver(database.db, database.url),
    logTo: { write: (line) => log.push(line) },
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  close = () => app.close();
});
afterAll(async () => {
  await close();
  await database.drop();
});

let made = 0;
const canary = (what: string): string => `canary-${what}-${String(++made).padStart(4, '0')}`;

const rawText = async <E extends AnyEndpoint>(client: TestClient, endpoint: E, input: WireInput<E>) => {
  const { envelope } = await client.call(endpoint, input);
  answers.push(JSON.stringify(envelope));
  return envelope;
};

/** Every call that takes secrets, and the names of those. */
const takers = Object.entries<AnyEndpoint>(contract).flatMap(([name, endpoint]) => {
  const secretFields = Object.entries(shapeOf(endpoint.input)).filter(([, field]) => isSecret(field));
  return secretFields.length > 0 ? [{ name, endpoint, fields: secretFields.map(([field]) => field) }] : [];
});
function isSecret(field: z.ZodType): boolean {
  return metaOf(field).kind === 'secret';
}

/** How many secrets stand anywhere in an input. */
function secretsWithin(schema: z.ZodType): number {
  if (isSecret(schema)) return 1;
  const parts = partsOf(schema).filter((part) => part instanceof z.ZodType);
  return parts.reduce((sum, part) => sum + secretsWithin(part), 0);
}
function partsOf(schema: z.ZodType): readonly unknown[] {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodUnion) return bare.options;
  if (bare instanceof z.ZodRecord) return [bare.keyType, bare.valueType];
  return [elementOf(bare), ...Object.values(shapeOf(bare))];
}

/** Has each call take its secrets, from whoever may make it and whoever may not: most are refused for what is missing. */
async function everyTaker(clients: readonly TestClient[]): Promise<void> {
  for (const { endpoint, fields } of takers)
    for (const client of clients) {
      const input = { id: 1, ...Object.fromEntries(fields.map((field) => [field, canary(field)])) };
      await rawText(client, endpoint, input);
      // And of a kind that no secret is.
      await rawText(client, endpoint, Object.fromEntries(fields.map((field) => [field, [canary(field)]])));
    }
}

/** What fails in the middle tells neither in its answer nor in the log what it was given. */
async function everyFault(admin: TestClient): Promise<void> {
  const without = async (table: string, ask: () => Promise<{ code: number }>) => {
    await sql`alter table ${sql.ref(table)} rename to ${sql.ref(`${table}_gone`)}`.execute(database.owner);
    try {
      expect((await ask()).code, table).toBe(500);
    } finally {
      await sql`alter table ${sql.ref(`${table}_gone`)} rename to ${sql.ref(table)}`.execute(database.owner);
    }
  };
  const mail = { host: 'mail.example', port: 25, username: 'mailer', enableStarttls: true };
  await without('mail_config', () => rawText(admin, addMailConfig, { ...mail, password: canary('smtp') }));
  const password = canary('password');
  await without('operator', () => rawText(testClient(origin), login, { username: 'admin', password }));
}

async function everyFlow(): Promise<void> {
  const { username } = await buildOperator(database.db);
  const anonymous = testClient(origin);
  await rawText(anonymous, login, { username, password: canary('password'), googleCode: canary('code') });
  await rawText(anonymous, refreshToken, { refresh_token: canary('refresh-token') });
  const tokenOf = async (name: string, password: string) =>
    (await anonymous.call(login, { username: name, password })).envelope.data?.access_token ?? '';
  const admin = testClient(origin, await tokenOf('admin', testConfig().adminPassword ?? ''));
  const nobody = testClient(origin, await tokenOf(username, PASSWORD));
  for (const client of [admin, nobody, anonymous]) {
    const password = canary('new-password');
    const userName = `bearer-${made}`;
    await rawText(client, addOperator, { userName, password });
    await rawText(client, addOperator, { userName, password });
    await rawText(client, changePassword, {
      oldPassword: canary('old'),
      newPassword: canary('new'),
      newConfirm: canary('confirm'),
    });
    await rawText(client, loginChatByCode, { id: 1, code: canary('chat-code') });
    await rawText(client, loginChatByPassword, { id: 1, password: canary('chat-password') });
    const config = {
      host: 'mail.example',
      port: 25,
      username: 'mailer',
      password: canary('smtp'),
      enableStarttls: true,
    };
    await rawText(client, addMailConfig, config);
  }
  await everyTaker([admin, nobody, anonymous, testClient(origin, 'canary-platform-key-000')]);
  await everyFault(admin);
  const { token } = admin;
  const headers = { authorization: `Bearer ${token}` };
  for (const path of [
    `/api/session/loginByPassword/1/${canary('path')}/beyond`,
    `/api/session/loginByCode/x/${canary('path')}?again=${canary('query')}`,
    `/api/session/loginByCode/1/${canary('path')}%ff%zz`,
  ]) {
    answers.push((await rawRequest(origin, { path, headers })).text);
    answers.push((await rawRequest(origin, { path, headers, method: 'DELETE' })).text);
  }
  answers.push(
    (
      await rawRequest(origin, {
        path: '/open/v1/users/1/balance',
        headers: { authorization: 'Bearer canary-platform-key-000' },
      })
    ).text,
  );
  const broken = {
    method: 'POST',
    path: '/api/login',
    headers: { 'content-type': 'application/json' },
    body: `{"password":"${canary('broken')}`,
  };
  answers.push((await rawRequest(origin, broken)).text);
  // What is shown once is not among the answers that are searched.
  const key = await admin.call(resetGoogleKey, { id: (await buildOperator(database.db)).id });
  secrets.push(key.envelope.data?.secret ?? '', token, nobody.token);
}
const secrets: string[] = [];

/** Everything the database holds, as text. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    database.db,
  );
  const contents = await Promise.all(
    rows.map(async ({ name }) => {
      const all = await sql<{
        text: string | null;
      }>`select string_agg(to_jsonb(t)::text || coalesce(t::text, ''), ' ') as text from ${sql.raw(name)} t`.execute(
        database.db,
      );
      return all.rows[0]?.text ?? '';
    }),
  );
  return contents.join('\n');
}

describe('secrets', () => {
  it.each<[string, z.ZodType]>([
    ['a list', z.object({ all: z.array(z.object({ key: secret('密钥') })).optional() })],
    ['a record', z.object({ all: z.record(z.string(), secret('密钥')) })],
    ['a union', z.object({ all: z.union([z.string(), z.object({ key: secret('密钥') })]) })],
  ])('are found within %s of an input', (_, input) => {
    expect(secretsWithin(input)).toBe(1);
  });

  it('stand in no input deeper than canaries are put', () => {
    expect(
      takers.map(({ name, endpoint, fields }) => [name, secretsWithin(endpoint.input) - fields.length]),
    ).toEqual(takers.map(({ name }) => [name, 0]));
    const all = Object.values<AnyEndpoint>(contract).filter(({ input }) => secretsWithin(input) > 0);
    expect(all).toHaveLength(takers.length);
    expect(takers.length).toBeGreaterThan(10);
  });

  it('stand neither in the log nor in the database nor in any answer', async () => {
    await everyFlow();
    expect(made).toBeGreaterThan(100);
    expect(secrets.every((secret) => secret.length >= 32)).toBe(true);
    expect(log.length).toBeGreaterThan(20);
    const everything = { log: log.join('\n'), database: await dump(), answers: answers.join('\n') };
    for (const [place, text] of Object.entries(everything)) {
      // The second is the first in hexadecimal, as bytea columns show themselves.
      expect(text.match(/canary-[\w-]+|63616e6172792d\w*/g) ?? [], place).toEqual([]);
      for (const secret of secrets) expect(text.includes(secret), place).toBe(false);
    }
  });
});
