import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { addRole, deleteRole, updateRole } from '#contract/roles.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('shows who did what to which row, from what to what, from where and how it ended', async () => {
  const admin = await server.admin();
  const id = (await admin.call(addRole, { desc: '甲', name: 'first' })).envelope.data ?? 0;
  await admin.call(updateRole, { id, desc: '乙', name: 'first' });
  const { data } = (await admin.call(pageChangeRecords, { summary: '编辑角色' })).envelope;
  expect(data?.totalCount).toBe(1);
  expect(data?.data[0]).toMatchObject({
    userName: 'admin',
    summary: '编辑角色',
    call: 'updateRole',
    targetId: String(id),
    outcome: 'SUCCESS',
    before: { id, desc: '甲', name: 'first' },
    after: { id, desc: '乙', name: 'first' },
    input: { id, desc: '乙', name: 'first' },
    address: expect.stringMatching(/127\.0\.0\.1/),
  });
});

it('is searched by operator, row, outcome, address and time', async () => {
  const admin = await server.admin();
  const { username, password } = await buildOperator(server.db);
  await (await server.as(username, password)).call(deleteRole, { id: 987_654 });
  const count = async (filter: object) =>
    (await admin.call(pageChangeRecords, filter)).envelope.data?.totalCount;
  expect(await count({ userName: username.toUpperCase(), outcome: 'DENIED' })).toBe(1);
  expect(await count({ targetId: '987654' })).toBe(1);
  expect(await count({ targetId: '98765' })).toBe(0);
  expect(await count({ userName: username, outcome: 'FAULT' })).toBe(0);
  expect(await count({ address: '127.0.0.', userName: username })).toBeGreaterThan(0);
  expect(await count({ createTimeRange: ['2000-01-01 00:00:00', '2000-01-02 00:00:00'] })).toBe(0);
});
