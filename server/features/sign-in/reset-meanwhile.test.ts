import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { deleteOperator, resetOperatorPassword } from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

/** Lets something be done to an operator while a sign-in with their password is under way at another server: its password was found to be right. */
async function whileSigningIn(
  change: AnyEndpoint,
  inputOf: (id: number) => object,
  by: 'admin' | 'oneself' = 'admin',
) {
  const { id, username, password } = await buildOperator(server.db);
  const client = by === 'admin' ? await server.admin() : await server.as(username, password);
  await other.anonymous.call(login, { username, password: 'not this one' });
  const [signingIn, changing] = await server.db.transaction().execute(async (tx) => {
    // A sign-in forgets the failures before it.
    await sql`select from sign_in_failure where kind = 'account' and subject = ${username} for update`.execute(
      tx,
    );
    const first = other.anonymous.call(login, { username, password });
    while ((await waitForLocks(server.db)) < 1);
    const second = client.call(change, inputOf(id));
    const over = second.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(server.db)) < 2);
    return [first, second] as const;
  });
  expect((await changing).envelope.success).toBe(true);
  const { data } = (await signingIn).envelope;
  return data ? other.withToken(data.access_token).call(listCurrentMenus, {}) : undefined;
}

test('a sign-in that is under way as the password is reset does not outlive that', async () => {
  const answer = await whileSigningIn(resetOperatorPassword, (id) => ({
    id,
    password: 'a new sample phrase',
  }));
  expect(answer?.envelope.msg).toBe('登录已过期，请重新登录');
});

test('a sign-in that is under way as its operator takes another password does not outlive that', async () => {
  const newPassword = 'another sample phrase';
  const form = { oldPassword: PASSWORD, newPassword, newConfirm: newPassword };
  const answer = await whileSigningIn(changePassword, () => form, 'oneself');
  expect(answer?.envelope.msg).toBe('登录已过期，请重新登录');
});

test('a sign-in that is under way as its operator is deleted opens nothing', async () => {
  const answer = await whileSigningIn(deleteOperator, (id) => ({ id }));
  expect(answer?.envelope.success ?? false).toBe(false);
});
