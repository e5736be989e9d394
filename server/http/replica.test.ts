import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOverview } from '#contract/overview.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { externalPostgres } from '#server/testing/external-postgres.ts';
import { type TcpProxy, tcpProxy } from '#server/testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// Replicas that are none, for which no second PostgreSQL is needed; what a real one does is shown by the fault runs.
const NOBODY = 'postgres://nobody:x@127.0.0.1:1/none';

let database: TestDatabase;
let way: TcpProxy;
beforeAll(async () => {
  database = await testDatabase();
  way = await tcpProxy(database.url);
});
afterAll(async () => {
  await way.close();
  await database.drop();
});

async function withServer(databaseReplicaUrl: string, work: (server: TestServer) => Promise<void>) {
  const server = await startTestServer({ databaseReplicaUrl }, database);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const readyz = async ({ origin }: TestServer) => {
  const answer = await fetch(`${origin}/readyz`);
  return { status: answer.status, body: await answer.json() };
};
const metric = async ({ origin }: TestServer, name: string) =>
  (await (await fetch(`${origin}/metrics`)).text()).split('\n').find((line) => line.startsWith(name));

describe('a read replica that cannot be read from', () => {
  it('and does not answer: lists come from the primary, and the server says so', async () => {
    await withServer(NOBODY, async (server) => {
      const admin = await server.admin();
      for (let i = 0; i < 3; i++)
        expect(await admin.call(listRoles, {})).toMatchObject({ status: 200, envelope: { success: true } });
      expect(await readyz(server)).toEqual({
        status: 200,
        body: { status: 'ready', replica: 'unreachable' },
      });
      expect(await metric(server, 'database_replica_up')).toBe('database_replica_up 0');
      expect((await admin.call(getOverview, {})).envelope.data?.replica).toBe('unreachable');
      const few = await buildOperator(server.db, { grants: ['/main/pms/role'] });
      const other = await server.as(few.username, few.password);
      expect((await other.call(getOverview, {})).envelope.data?.replica).toBeNull();
      expect(await metric(server, 'database_reads_total{from="primary"')).toMatch(/ [1-9]/);
    });
  });

  it('and is no standby is not trusted', async () => {
    await withServer(database.url, async (server) => {
      await expect
        .poll(() => readyz(server), { timeout: 30_000 })
        .toMatchObject({ body: { replica: 'promoted' } });
      const admin = await server.admin();
      await admin.call(addRole, { desc: '主', name: 'on-the-primary' });
      expect((await admin.call(listRoles, { name: 'on-the-primary' })).envelope.data).toHaveLength(1);
    });
  });

  it('and belongs to another database is not trusted', async () => {
    const stranger = await externalPostgres();
    try {
      await withServer(stranger.url, async (server) => {
        await expect
          .poll(() => readyz(server), { timeout: 30_000 })
          .toMatchObject({ body: { replica: 'foreign' } });
        expect((await (await server.admin()).call(listRoles, {})).envelope.success).toBe(true);
      });
    } finally {
      await stranger.remove();
    }
  });

  it('and hangs from the beginning holds up nobody', async () => {
    way.hang();
    await withServer(way.url, async (server) => {
      const began = performance.now();
      expect((await (await server.admin()).call(listRoles, {})).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(2_000);
      expect((await readyz(server)).body).toEqual({ status: 'ready', replica: 'unreachable' });
    });
    await way.resume();
  });

  it('a server without one says nothing of it', async () => {
    const server = await startTestServer({}, database);
    expect((await readyz(server)).body).toEqual({ status: 'ready' });
    expect((await (await server.admin()).call(getOverview, {})).envelope.data?.replica).toBeNull();
    expect(await metric(server, 'database_replica_up')).toBeUndefined();
    await server.close();
  });
});
