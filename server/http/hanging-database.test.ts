import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { type TcpProxy, tcpProxy } from '#server/testing/tcp-proxy.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let database: TestDatabase;
let way: TcpProxy;
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  database = await testDatabase();
  way = await tcpProxy(database.url);
  const db = connect(way.url, { timeZone: 'Asia/Shanghai' });
  server = await startTestServer({}, { ...database, url: way.url, db, drop: () => db.destroy() });
  admin = await server.admin();
});
afterAll(async () => {
  await server.close();
  await server.database.drop();
  await way.close();
  await database.drop();
});

let serial = 0;
/** One of each kind: they use different connections. */
const calls = (): (() => Promise<{ status: number }>)[] => [
  () => admin.call(listRoles, {}),
  () => admin.call(addRole, { desc: '停', name: `hang-${++serial}` }),
  () =>
    admin.call(
      addRole,
      { desc: '停', name: `hang-${++serial}` },
      { headers: { 'idempotency-key': `k${serial}` } },
    ),
  () => server.anonymous.call(login, { username: 'admin', password: 'wrong password' }),
  () => fetch(`${server.origin}/readyz`),
];

async function timed(call: () => Promise<{ status: number }>) {
  const began = performance.now();
  const { status } = await call();
  return { status, seconds: (performance.now() - began) / 1_000 };
}

describe('a database that hangs', () => {
  it('is answered by 503 within 3 s, on every kind of connection and in every line; the first call after works', async () => {
    // Several rounds at once, so that some callers stand in line for a connection.
    await Promise.all(Array.from({ length: 4 }, () => Promise.all(calls().map(timed))));
    way.hang();
    const all = Array.from({ length: 8 }, calls).flat();
    const hung = await Promise.all(all.map(timed));
    const later = await Promise.all(calls().map(timed));
    for (const { status, seconds } of [...hung, ...later]) {
      expect(status).toBe(503);
      expect(seconds).toBeLessThan(3.2);
    }
    await way.resume();
    for (const { status, seconds } of await Promise.all(calls().map(timed))) {
      expect(status).toBe(200);
      expect(seconds).toBeLessThan(2);
    }
  }, 30_000);

  it('is not taken for one that is slow: a change that waits 4 s for a lock is made', async () => {
    const { accountId } = await buildUser(database.db);
    let credit = admin.call(pageAccounts, { currentPage: 1, pageSize: 1 }) as Promise<{
      envelope: { success: boolean };
    }>;
    await database.db.transaction().execute(async (tx) => {
      await sql`select from account where id = ${accountId} for update`.execute(tx);
      credit = admin.call(addBalance, { id: accountId, balance: '1' });
      await sql`select pg_sleep(4)`.execute(tx);
    });
    expect((await credit).envelope.success).toBe(true);
  });
});
