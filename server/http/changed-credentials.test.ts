import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type DatabaseClock, startDatabaseClock } from '#server/db/database-clock.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { refusalOf } from './database-failures.ts';

const log: string[] = [];
let database: TestDatabase;
let clock: DatabaseClock;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase();
  clock = await startDatabaseClock(database.db);
  const url = new URL(database.url);
  url.password = 'that-of-before';
  const logTo = { write: (line: string) => log.push(line) };
  server = await startTestServer({ logLevel: 'error' }, { ...database, url: url.href }, { clock, logTo });
});
afterAll(async () => {
  await server.close();
  clock.stop();
  await database.drop();
});

it('a database that takes the password no more is out of reach: 503, and the log says why', async () => {
  const attempt = { username: 'admin', password: 'whatever it is' };
  const away = { status: 503, envelope: { success: false, msg: '系统无响应', code: 503 } };
  expect(await server.anonymous.call(login, attempt)).toMatchObject(away);
  expect(await server.withToken('x'.repeat(43)).call(listRoles, {})).toMatchObject(away);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
  expect(log.join('\n')).toContain('"code":"28P01"');
});

it.each(['CERT_HAS_EXPIRED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])(
  'so is one whose certificate is not believed any more: %s',
  (code) => {
    expect(refusalOf(Object.assign(new Error(), { code }))).toMatchObject({ failure: 'unavailable' });
  },
);
