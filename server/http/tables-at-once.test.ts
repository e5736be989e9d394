import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basePath } from '#contract/endpoint.ts';
import { IMPORT_HEADER, importTypes } from '#contract/imports.ts';
import { addUser, pageUsers } from '#contract/users.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

/** Begins to send a table and goes no further; resolves once the server has what was sent. */
async function begun(): Promise<ClientRequest> {
  const asked = request(server.origin + basePath(addUser) + addUser.path, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': importTypes.csv,
      'content-length': 100,
      expect: '100-continue',
      authorization: `Bearer ${admin.token}`,
      [IMPORT_HEADER]: 'check',
    },
  });
  asked.on('error', () => undefined);
  await new Promise((resolve) => {
    asked.once('continue', resolve);
    asked.flushHeaders();
  });
  asked.write('昵称\n');
  return asked;
}

const check = ({ token }: Pick<TestClient, 'token'>) =>
  sendTable({ origin: server.origin, token }, addUser, '昵称\n来客\n');

it('an operator has few tables on their way at once, and others theirs meanwhile', async () => {
  const held = await Promise.all([begun(), begun(), begun()]);
  await expect.poll(async () => (await check(admin)).status).toBe(429);
  const { username } = await buildOperator(server.db, {
    grants: ['/main/user/user'],
  });
  const other = await server.as(username, PASSWORD);
  expect((await check(other)).status).toBe(200);
  // What is no table is none of it.
  expect((await admin.call(pageUsers, {})).status).toBe(200);
  for (const asked of held) asked.destroy();
  await expect.poll(async () => (await check(admin)).status).toBe(200);
});
