import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { explainOperator, explainRole } from '#contract/explanations.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { endRoleTrial, getRoleTrial, tryRole } from '#contract/role-trials.ts';
import { addRole, bindRoleMenus, copyRole, listRoles } from '#contract/roles.ts';
import { logout } from '#contract/sign-in.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let other: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  admin = await server.admin();
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const pathsOf = async (client: TestClient) =>
  flatMenus((await client.call(listCurrentMenus, {})).envelope.data ?? []).flatMap(({ path }) => path ?? []);
const build = async (grants: readonly string[]) => {
  const operator = await buildOperator(server.db, { grants });
  return { ...operator, client: await server.as(operator.username, PASSWORD) };
};
/** Only what was done and what was turned away are told apart by their outcome: there are more of these than a page takes. */
const recordsOf = async (userName: string, outcome: 'SUCCESS' | 'DENIED') =>
  given((await admin.call(pageChangeRecords, { userName, outcome })).envelope.data).data.map(
    ({ call, targetId, msg }) => [call, targetId, msg],
  );

it('a role tried on shows what both hold and nothing else; every command is refused, on every server', async () => {
  const own = ['/main/pms/role', 'pms:role:try', 'pms:role:add', '/main/news/news', '/main/user/account'];
  const { id, client, username } = await build(own);
  const tried = await buildOperator(server.db, {
    grants: ['/main/news/news', '/main/pms/operator', 'pms:role:add', '/main/bet/slip'],
  });
  expect((await client.call(getRoleTrial, {})).envelope.data).toBeNull();
  const { envelope } = await client.call(tryRole, { id: tried.roleId });
  const trial = given(envelope.data);
  expect(envelope.msg).toBe(`正在试用角色“${trial.role}”，15 分钟后自动结束`);
  expect((await client.call(getRoleTrial, {})).envelope.data).toEqual(trial);
  expect((await pathsOf(client)).toSorted()).toEqual(['/main/news/news', 'pms:role:add']);

  const verdicts = async (answer: {
    envelope: { data: { targets: { target: string; verdict: string }[] } | null };
  }) => new Map(given(answer.envelope.data).targets.map(({ target, verdict }) => [target, verdict]));
  const mine = await verdicts(await admin.call(explainOperator, { id }));
  const theirs = await verdicts(await admin.call(explainRole, { id: tried.roleId }));
  for (const [name, endpoint] of Object.entries<AnyEndpoint>(contract)) {
    if (typeof endpoint.access !== 'object' && endpoint.access !== 'signed-in') continue;
    if (name === 'logout' || name === 'endRoleTrial') continue;
    const path = basePath(endpoint) + endpoint.path.replace(/\{\w+\}/g, '1');
    const headers = { authorization: `Bearer ${client.token}` };
    const at = endpoint.kind === 'command' ? other : server;
    const { status, envelope: said } = await rawRequest(at.origin, { method: endpoint.verb, path, headers });
    if (endpoint.kind === 'command')
      expect([name, said?.success, said?.msg]).toEqual([
        name,
        false,
        `正在试用角色“${trial.role}”，只能查看，不能修改；请先退出试用`,
      ]);
    else
      expect([name, status !== 403]).toEqual([
        name,
        mine.get(name) === 'ALLOWED' && theirs.get(name) === 'ALLOWED',
      ]);
  }

  expect((await client.call(endRoleTrial, {})).envelope).toMatchObject({ success: true, msg: '已退出试用' });
  expect((await client.call(getRoleTrial, {})).envelope.data).toBeNull();
  expect((await pathsOf(client)).toSorted()).toEqual(own.toSorted());
  expect((await client.call(endRoleTrial, {})).envelope.msg).toBe('当前没有试用角色');
  const target = String(tried.roleId);
  expect(await recordsOf(username, 'SUCCESS')).toEqual([
    ['endRoleTrial', target, '已退出试用'],
    ['tryRole', target, envelope.msg],
  ]);
  expect((await recordsOf(username, 'DENIED')).length).toBeGreaterThan(5);
});

it('ends by itself, for a session that every server remembers; another session of the same operator never saw it', async () => {
  const { client, username } = await build(['/main/pms/role', 'pms:role:try', '/main/news/news']);
  const beside = await server.as(username, PASSWORD);
  const { roleId } = await buildOperator(server.db, { grants: ['/main/news/news'] });
  await client.call(tryRole, { id: roleId });
  expect((await beside.call(listRoles, {})).status).toBe(200);
  expect((await client.call(listRoles, {})).status).toBe(403);
  // Nothing tells the servers: what they remember has to run out with it.
  await sql`
    update session set "trialUntil" = clock_timestamp() + interval '2 seconds' where "trialRoleId" = ${roleId}`.execute(
    server.db,
  );
  await sql`update access_epoch set epoch = epoch + 1`.execute(server.db);
  await expect
    .poll(async () => (await client.call(listRoles, {})).status, { timeout: 8_000, interval: 100 })
    .toBe(200);
  expect((await client.call(getRoleTrial, {})).envelope.data).toBeNull();
});

it('is in force on every server when it is said to have begun, and to have ended', async () => {
  const { client } = await build(['/main/pms/role', 'pms:role:try']);
  const there = other.withToken(client.token);
  const { roleId } = await buildOperator(server.db);
  let isOver = false;
  // What the other server remembers is always as young as it may be.
  const asking = (async () => {
    for (; !isOver; await sleep(10)) await there.call(getRoleTrial, {});
  })();
  try {
    await client.call(tryRole, { id: roleId });
    expect((await there.call(listRoles, {})).status).toBe(403);
    // So is what becomes of the role meanwhile.
    expect((await client.call(listRoles, {})).status).toBe(403);
    const menuIds = (await server.db.selectFrom('menu').select('id').execute()).map(({ id }) => id);
    await admin.call(bindRoleMenus, { rid: roleId, menuIds });
    expect((await client.call(listRoles, {})).status).toBe(200);
    await client.call(endRoleTrial, {});
    expect((await there.call(listRoles, {})).status).toBe(200);
    // Nobody is kept in by a trial.
    await client.call(tryRole, { id: roleId });
    expect((await client.call(logout, {})).envelope.success).toBe(true);
  } finally {
    isOver = true;
    await asking;
  }
});

it('takes the right to try, a role that is there, and a session that tries on nothing yet', async () => {
  const { client } = await build(['/main/pms/role']);
  const { roleId } = await buildOperator(server.db);
  const refused = await client.call(tryRole, { id: roleId });
  expect(refused.envelope).toMatchObject({
    ...{ code: 403, msg: '权限不足!', data: { call: 'tryRole', needs: ['权限管理 / 角色管理 / 试用角色'] } },
  });
  const may = await build(await allGrants(server.db));
  expect((await may.client.call(tryRole, { id: 987_654 })).envelope.msg).toBe('记录不存在');
  await may.client.call(tryRole, { id: roleId });
  expect((await may.client.call(tryRole, { id: roleId })).envelope.msg).toContain('请先退出试用');
  expect((await may.client.call(addRole, { desc: '一', name: 'in-trial' })).envelope.success).toBe(false);
  expect((await admin.call(listRoles, { name: 'in-trial' })).envelope.data).toEqual([]);
});

it('a role is copied with its menus under a name of its own, by whoever holds all of them', async () => {
  const grants = ['/main/news/news', 'pms:role:add'];
  const { roleId } = await buildOperator(server.db, { grants });
  const copied = await admin.call(copyRole, { id: roleId, desc: '副本', name: 'the-copy' });
  const roles = (await admin.call(listRoles, {})).envelope.data ?? [];
  const menusOf = (id: number | null) => roles.find((role) => role.id === id)?.hasMenus;
  expect(menusOf(copied.envelope.data)).toEqual(menusOf(roleId));
  expect(menusOf(roleId)).toHaveLength(2);
  expect((await admin.call(copyRole, { id: roleId, desc: '副本', name: 'the-copy' })).envelope).toMatchObject(
    {
      ...{ success: false, data: { errors: { name: '角色标识已存在' } } },
    },
  );
  const { client } = await build(['/main/pms/role', 'pms:role:copy', 'pms:role:add']);
  expect((await client.call(copyRole, { id: roleId, desc: '越权', name: 'beyond' })).envelope.msg).toBe(
    '不能授予自己没有的权限',
  );
  expect((await admin.call(listRoles, { name: 'beyond' })).envelope.data).toEqual([]);
});
