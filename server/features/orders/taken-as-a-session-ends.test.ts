import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewDeposit } from '#contract/deposits.ts';
import { takeNextOrder, takeOrder } from '#contract/money-desk.ts';
import { endOnlineSession } from '#contract/online-sessions.ts';
import { deleteOperator, disableOperator, resetOperatorPassword } from '#contract/operators.ts';
import { logout } from '#contract/sign-in.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function clerk() {
  const grants = ['/main/user/money-desk', '/main/user/deposit-record'];
  const { id, username, password } = await buildOperator(server.db, { grants });
  const client = await server.as(username, password);
  const { rows } = await sql<{ id: string }>`select id from session where "operatorId" = ${id}`.execute(
    server.db,
  );
  return { client, sessionId: rows[0]?.id ?? '', operatorId: id };
}

async function deposit(userId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into deposit ("userId", amount, "bankOrderNo", type) values (${userId}, 5, ${`d${userId}`}, 'BANK_TRANSFER') returning id`.execute(
    server.db,
  );
  return rows[0]?.id ?? 0;
}

const taker = async (id: number) =>
  (await server.db.selectFrom('deposit').select('takenBy').where('id', '=', id).executeTakeFirstOrThrow())
    .takenBy;

/** Lets the session be ended while a take in it waits for an order that somebody else holds. */
async function endedMeanwhile(take: (client: TestClient, id: number) => Promise<unknown>): Promise<number> {
  const admin = await server.admin();
  const { client, sessionId } = await clerk();
  const id = await deposit((await buildUser(server.db)).userId);
  const calls = await server.db.transaction().execute(async (tx) => {
    await sql`select from deposit where id = ${id} for update`.execute(tx);
    const taking = take(client, id);
    while ((await waitForLocks(server.db)) < 1);
    // It is over before the take, or waits for it and then puts back what was taken.
    const ending = admin.call(endOnlineSession, { id: sessionId });
    const over = ending.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(server.db)) < 2);
    return [taking, ending] as const;
  });
  await calls[0];
  expect((await calls[1]).envelope.msg).toBe('已下线');
  return id;
}

test('an order that is being taken as its session ends is nobody’s', { retry: 0 }, async () => {
  const id = await endedMeanwhile((client, order) => client.call(takeOrder, { kind: 'DEPOSIT', id: order }));
  expect(await taker(id)).toBeNull();
});

test('in a session that is over nothing is taken any more', async () => {
  const { client, sessionId } = await clerk();
  const id = await deposit((await buildUser(server.db)).userId);
  const take = await server.db.transaction().execute(async (tx) => {
    await sql`update session set "revokeTime" = now() where id = ${sessionId}`.execute(tx);
    const call = client.call(takeNextOrder, {});
    while ((await waitForLocks(server.db)) < 1);
    return { call };
  });
  expect((await take.call).envelope.msg).toBe('登录已过期，请重新登录');
  expect(await taker(id)).toBeNull();
});

test('an order whose decision comes to nothing as its session ends is nobody’s', { retry: 0 }, async () => {
  const { db } = server;
  const admin = await server.admin();
  const { client, sessionId } = await clerk();
  // Nothing more goes into the account.
  const { userId } = await buildUser(db, { balance: '999999999999' });
  const id = await deposit(userId);
  expect((await client.call(takeOrder, { kind: 'DEPOSIT', id })).envelope.success).toBe(true);
  const calls = await db.transaction().execute(async (tx) => {
    await sql`select from account where "userId" = ${userId} for update`.execute(tx);
    const deciding = client.call(reviewDeposit, { id, action: 'PASS' });
    while ((await waitForLocks(db)) < 1);
    const ending = admin.call(endOnlineSession, { id: sessionId });
    const over = ending.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(db)) < 2);
    return [deciding, ending] as const;
  });
  expect((await calls[0]).envelope.success).toBe(false);
  expect((await calls[1]).envelope.msg).toBe('已下线');
  expect(await taker(id)).toBeNull();
});

const endings: readonly [
  how: string,
  end: (ends: { admin: TestClient; client: TestClient; id: number }) => Promise<{ status: number }>,
][] = [
  ['signed out', ({ client }) => client.call(logout, {})],
  ['disabled', ({ admin, id }) => admin.call(disableOperator, { id })],
  ['deleted', ({ admin, id }) => admin.call(deleteOperator, { id })],
  [
    'given another password',
    ({ admin, id }) => admin.call(resetOperatorPassword, { id, password: 'a word that two know' }),
  ],
];

test.each(endings)(
  'what somebody had taken is nobody’s once they are %s, and given to the next',
  async (_, end) => {
    const admin = await server.admin();
    const { client, operatorId } = await clerk();
    const id = await deposit((await buildUser(server.db)).userId);
    expect((await client.call(takeOrder, { kind: 'DEPOSIT', id })).envelope.success).toBe(true);
    expect(await taker(id)).toBe(operatorId);
    expect((await end({ admin, client, id: operatorId })).status).toBe(200);
    expect(await taker(id)).toBeNull();
    const next = await clerk();
    expect((await next.client.call(takeOrder, { kind: 'DEPOSIT', id })).envelope.success).toBe(true);
    expect((await next.client.call(reviewDeposit, { id, action: 'PASS' })).envelope.success).toBe(true);
  },
);
