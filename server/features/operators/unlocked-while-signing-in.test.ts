import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlockOperator } from '#contract/operators.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('unlocking an operator who signs in at that moment is in nobody’s way', async () => {
  const admin = await server.admin();
  const { id, username, password } = await buildOperator(server.db);
  const [unlocking, signingIn] = await server.db.transaction().execute(async (tx) => {
    await sql`select from operator where id = ${id} for update`.execute(tx);
    const unlock = admin.call(unlockOperator, { id, reason: '本人要求' });
    while ((await waitForLocks(server.db)) < 1);
    const signIn = server.anonymous.call(login, { username, password });
    while ((await waitForLocks(server.db)) < 2);
    return [unlock, signIn] as const;
  });
  expect((await unlocking).envelope.msg).toBe('该操作员未被锁定');
  const { status, envelope } = await signingIn;
  expect([status, envelope.msg]).toEqual([200, '登录成功']);
});
