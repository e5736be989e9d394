import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Envelope } from '#contract/envelope.ts';
import { addMenu, deleteMenu } from '#contract/menus.ts';
import { bindOperatorRoles, deleteOperator, disableOperator } from '#contract/operators.ts';
import { bindRoleMenus } from '#contract/roles.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
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

/** An operator who may look after roles and operators, signed in at the other server. */
async function keeper() {
  const grants = [
    ...['/main/pms/operator', 'pms:operator:bindRole'],
    ...['/main/pms/role', 'pms:role:bindMenu', '/main/pms/menu', 'pms:menu:add'],
  ];
  const built = await buildOperator(server.db, { grants });
  const client = await other.as(built.username, built.password);
  return { ...built, client };
}

/** Two changes of access, of which the second was let in before the first was done, and waits in line behind it. */
async function inLine(
  first: () => Promise<{ envelope: Envelope }>,
  second: () => Promise<{ envelope: Envelope }>,
) {
  const calls = await server.db.transaction().execute(async (tx) => {
    await sql`select from access_epoch for update`.execute(tx);
    const one = first();
    while ((await waitForLocks(server.db)) < 1);
    const two = second();
    while ((await waitForLocks(server.db)) < 2);
    return [one, two];
  });
  return (await Promise.all(calls)).map(({ envelope: { success, msg } }) => ({ success, msg }));
}

const rolesOf = async (operatorId: number) =>
  (
    await server.db
      .selectFrom('operator_role')
      .select('roleId')
      .where('operatorId', '=', operatorId)
      .execute()
  ).map(({ roleId }) => roleId);
const menusOf = (roleId: number) =>
  server.db.selectFrom('role_menu').select('menuId').where('roleId', '=', roleId).execute();

const done = { success: true, msg: '操作成功' };
const turnedAway = { success: false, msg: '您的权限刚刚被更改，没有执行此操作，请重新加载页面' };

test('whose roles are taken does not give them back to themselves by a call that was already let in', async () => {
  const { id, roleId, client } = await keeper();
  const [taken, given] = await inLine(
    () => admin.call(bindOperatorRoles, { oid: id, roleIds: [] }),
    () => client.call(bindOperatorRoles, { oid: id, roleIds: [roleId] }),
  );
  expect(taken).toEqual(done);
  expect(await rolesOf(id)).toEqual([]);
  expect(given).toEqual(turnedAway);
});

test('whose role loses a menu does not bind it to the role again', async () => {
  const { roleId, client } = await keeper();
  const held = (await menusOf(roleId)).map(({ menuId }) => menuId);
  const [taken, given] = await inLine(
    () => admin.call(bindRoleMenus, { rid: roleId, menuIds: held.slice(1) }),
    () => client.call(bindRoleMenus, { rid: roleId, menuIds: held }),
  );
  expect(taken).toEqual(done);
  expect(await menusOf(roleId)).toHaveLength(held.length - 1);
  expect(given).toEqual(turnedAway);
});

test('who is disabled or deleted meanwhile hands on nothing', async () => {
  for (const ends of [disableOperator, deleteOperator]) {
    const { id, roleId, client } = await keeper();
    const friend = await buildOperator(server.db);
    const [, given] = await inLine(
      () => admin.call(ends, { id }),
      () => client.call(bindOperatorRoles, { oid: friend.id, roleIds: [roleId] }),
    );
    expect(given).toEqual(turnedAway);
    expect(await rolesOf(friend.id)).toEqual([friend.roleId]);
  }
});

test('a menu that is gone meanwhile takes nothing from whoever held it', async () => {
  const { envelope } = await admin.call(addMenu, { title: '临时', type: 'FOLDER' });
  const second = await server.as(server.config.adminUsername, server.config.adminPassword ?? '');
  const { roleId } = await buildOperator(server.db);
  const told = await inLine(
    () => admin.call(deleteMenu, { id: Number(envelope.data) }),
    () => second.call(bindRoleMenus, { rid: roleId, menuIds: [] }),
  );
  expect(told).toEqual([{ success: true, msg: '删除成功' }, done]);
});
