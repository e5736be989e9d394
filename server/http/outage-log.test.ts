import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { requestFor } from '#contract/request.ts';
import { listRoles } from '#contract/roles.ts';
import { connect } from '#server/db/database.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { openNews } from '#server/testing/news-stream.ts';
import { type TcpProxy, tcpProxy } from '#server/testing/tcp-proxy.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// What the log tells whoever is called, when the database is away or busy.

interface Line {
  level: number;
  msg: string;
  reqId?: string;
  status?: number;
  error?: string;
  operatorId?: number;
  database?: string;
}

let database: TestDatabase;
let way: TcpProxy;
let server: TestServer;
let admin: TestClient;
const lines: Line[] = [];
const told = (msg: string) => lines.filter((line) => line.msg === msg);
beforeAll(async () => {
  database = await testDatabase();
  way = await tcpProxy(database.url);
  const db = connect(way.url, { timeZone: 'Asia/Shanghai' });
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const shared = { ...database, url: way.url, db, drop: () => db.destroy() };
  server = await startTestServer({ logLevel: 'info' }, shared, { logTo });
  admin = await server.admin();
});
beforeEach(() => {
  lines.length = 0;
});
afterEach(() => way.resume());
afterAll(async () => {
  await server.close();
  await server.database.drop();
  await way.close();
  await database.drop();
});

const readyz = async () => {
  const answer = await fetch(`${server.origin}/readyz`);
  return [answer.status, await answer.json()];
};

it('an outage is told once by whoever looks again and again, and by its two ends where a balancer looks', async () => {
  const news = await openNews(server.origin, admin.token ?? '');
  await expect.poll(() => news.told.length).toBeGreaterThan(0);
  expect(await readyz()).toEqual([200, { status: 'ready' }]);
  await way.cut();
  for (let look = 0; look < 4; look++) {
    expect(await readyz()).toEqual([503, { status: 'unavailable', database: 'unreachable' }]);
    await sleep(700);
  }
  await way.resume();
  await expect.poll(readyz).toEqual([200, { status: 'ready' }]);
  await readyz();
  news.close();
  const looking = told('looking for what happened');
  expect(looking.length).toBeGreaterThan(0);
  expect(looking.length).toBe(new Set(looking.map(({ error }) => error)).size);
  expect(told('not ready')).toMatchObject([{ level: 40, database: 'unreachable' }]);
  expect(told('ready again')).toMatchObject([{ level: 30 }]);
});

it('a database that this program has not upgraded yet is told apart from one that is away', async () => {
  const { rows } = await sql<{ checksum: string }>`
    delete from schema_migration where name = '0001-access.sql' returning checksum`.execute(database.owner);
  expect(await readyz()).toEqual([503, { status: 'unavailable', database: 'outdated' }]);
  await sql`insert into schema_migration (name, checksum) values ('0001-access.sql', ${rows[0]?.checksum})`.execute(
    database.owner,
  );
  expect(await readyz()).toEqual([200, { status: 'ready' }]);
});

/** Sends a call as it is, for the answer's headers. */
const send = (endpoint: typeof listRoles | typeof addBalance, input: object) => {
  const { method, url, body, contentType } = requestFor(endpoint, input as never);
  const headers = { authorization: `Bearer ${admin.token}` };
  const typed = contentType ? { ...headers, 'content-type': contentType } : headers;
  return fetch(server.origin + url, { method, body, headers: typed });
};

it('a call that is answered 503 says why in its line, which the answer names', async () => {
  await way.cut();
  const away = await send(listRoles, {});
  await way.resume();
  const { accountId } = await buildUser(database.db);
  const locked = database.db.transaction().execute(async (tx) => {
    await sql`select from account where id = ${accountId} for update`.execute(tx);
    return send(addBalance, { id: accountId, balance: '1' });
  });
  const busy = await locked;
  for (const [answer, error] of [
    [away, expect.any(String)],
    [busy, '55P03'],
  ] as const) {
    expect(answer.status).toBe(503);
    const name = answer.headers.get('x-request-id');
    await expect
      .poll(() => told('answered').filter(({ reqId }) => reqId === name))
      .toMatchObject([{ status: 503, error }]);
  }
  expect(told('answered').at(-1)?.operatorId).toBeGreaterThan(0);
  // One that is answered well has nothing to tell.
  const well = await send(listRoles, {});
  expect(well.headers.get('x-request-id')).toBeNull();
}, 30_000);

it('requests have other names at another server', async () => {
  const other = await startTestServer({}, database);
  const nameAt = async (origin: string) => (await fetch(`${origin}/api/nowhere`)).headers.get('x-request-id');
  const names = [await nameAt(server.origin), await nameAt(server.origin), await nameAt(other.origin)];
  await other.close();
  expect(new Set(names.map((name) => name ?? '')).size).toBe(3);
  expect(names[0]?.split('-')[0]).toBe(names[1]?.split('-')[0]);
  expect(names[0]?.split('-')[0]).not.toBe(names[2]?.split('-')[0]);
});
