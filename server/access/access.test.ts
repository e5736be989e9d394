import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failures } from '#contract/failures.ts';
import { addMenu, deleteMenu, listCurrentMenus, listMenus, updateMenu } from '#contract/menus.ts';
import {
  addOperator,
  bindOperatorRoles,
  cleanGoogleKey,
  deleteOperator,
  listOperators,
  resetGoogleKey,
  updateOperator,
} from '#contract/operators.ts';
import { addRole, bindRoleMenus, deleteRole, listRoles, updateRole } from '#contract/roles.ts';
import { logout } from '#contract/sign-in.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { replaceRoles } from '#server/features/operators/operator-store.ts';
import { replaceMenus } from '#server/features/roles/role-store.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';
import { testClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const seededMenus = async () =>
  flatMenus((await (await server.admin()).call(listMenus, {})).envelope.data ?? []);
const menuId = async (path: string) => given((await seededMenus()).find((menu) => menu.path === path)?.id);
const refusedWith = (msg: string) => ({ success: false, code: 400, msg });
const roleScreen = [
  '/main/pms/role',
  'pms:role:add',
  'pms:role:update',
  'pms:role:delete',
  'pms:role:bindMenu',
];
const operatorScreen = [
  '/main/pms/operator',
  'pms:operator:add',
  'pms:operator:update',
  'pms:operator:delete',
  'pms:operator:bindRole',
];

async function signedIn(grants: readonly string[]) {
  const operator = await buildOperator(server.db, { grants });
  return { ...operator, client: await server.as(operator.username, PASSWORD) };
}

describe('what a grant opens', () => {
  it('shows a role’s screens with the folders above them, and nothing else', async () => {
    const { client } = await signedIn(['/main/pms/role', 'pms:role:add']);
    const menus = flatMenus((await client.call(listCurrentMenus, {})).envelope.data ?? []);
    expect(menus.map((menu) => menu.path ?? menu.title)).toEqual([
      '权限管理',
      '/main/pms/role',
      'pms:role:add',
    ]);
  });

  it('opens no screen because one of its buttons is held', async () => {
    const { client } = await signedIn(['pms:role:add']);
    const menus = flatMenus((await client.call(listCurrentMenus, {})).envelope.data ?? []);
    expect(menus.filter((menu) => menu.type === 'MENU')).toEqual([]);
  });

  it('takes effect on the next request when a role’s menus change', async () => {
    const admin = await server.admin();
    const { client, roleId } = await signedIn([]);
    expect((await client.call(listRoles, {})).status).toBe(403);
    await admin.call(bindRoleMenus, { rid: roleId, menuIds: [await menuId('/main/pms/role')] });
    expect((await client.call(listRoles, {})).status).toBe(200);
    await admin.call(bindRoleMenus, { rid: roleId, menuIds: [] });
    expect((await client.call(listRoles, {})).status).toBe(403);
  });

  it('knows each of many who come to a server in one moment for themselves', async () => {
    const screens = ['/main/pms/role', '/main/pms/operator'];
    const operators = await Promise.all(
      Array.from({ length: 12 }, (_, place) => signedIn(place % 3 === 2 ? [] : [given(screens[place % 3])])),
    );
    const over = given(operators[0]);
    await over.client.call(logout, {});
    const other = await startTestServer({}, server.database);
    const answers = await Promise.all(
      [...operators, ...operators].map(async ({ client }) => {
        const there = testClient(other.origin, client.token);
        return Promise.all([there.call(listRoles, {}), there.call(listOperators, {})]);
      }),
    );
    // Whoever binds roles to operators sees the roles too.
    const may = [
      [true, false],
      [true, true],
      [false, false],
    ];
    const expected = operators.map((operator, place) =>
      operator === over ? [false, false] : may[place % 3],
    );
    expect(answers.map((both) => both.map(({ envelope }) => envelope.success))).toEqual([
      ...expected,
      ...expected,
    ]);
    expect(answers[0]?.[0].envelope).toMatchObject({ code: failures.unauthenticated.code });
    await other.close();
  });

  it('takes effect at another server within a second', async () => {
    const other = await startTestServer({}, server.database);
    const admin = await server.admin();
    const { roleId, username } = await signedIn(['/main/pms/role']);
    const client = await other.as(username, PASSWORD);
    expect((await client.call(listRoles, {})).status).toBe(200);
    await admin.call(bindRoleMenus, { rid: roleId, menuIds: [] });
    await expect
      .poll(async () => (await client.call(listRoles, {})).status, { timeout: 1_000, interval: 50 })
      .toBe(403);
    await other.close();
  });

  it('is looked up anew only for whom a change touches, and for everyone when a change does not say whom', async () => {
    const [touched, sharing, other] = [
      await signedIn(['/main/pms/role']),
      await signedIn(['/main/pms/role']),
      await signedIn(['/main/pms/role']),
    ];
    await replaceRoles(server.db, sharing.id, [touched.roleId]);
    await bumpEpoch(server.db, { operatorIds: [sharing.id] });
    const statuses = () =>
      Promise.all(
        [touched, sharing, other].map(async ({ client }) => (await client.call(listRoles, {})).status),
      );
    await expect.poll(statuses, { timeout: 2_000, interval: 50 }).toEqual([200, 200, 200]);
    // Taken from all of them behind the servers' back, so that who is refused was looked up anew.
    for (const { roleId } of [touched, other]) await replaceMenus(server.db, roleId, []);
    await bumpEpoch(server.db, { roleIds: [touched.roleId] });
    await expect.poll(statuses, { timeout: 2_000, interval: 50 }).toEqual([403, 403, 200]);
    await bumpEpoch(server.db, { sessionIds: [] });
    await (await server.admin()).call(addMenu, { title: '与谁无关', type: 'MENU', path: '/main/y' });
    expect(await statuses()).toEqual([403, 403, 403]);
  });

  it('follows a menu’s expression, with real values in the path', async () => {
    const admin = await server.admin();
    const { client, roleId } = await signedIn([]);
    const added = await admin.call(addMenu, {
      title: '只看一个',
      type: 'MENU',
      path: '/main/x',
      urlExpression: '/pms/role/deleteById/1',
    });
    await admin.call(bindRoleMenus, { rid: roleId, menuIds: [given(added.envelope.data)] });
    expect((await client.call(deleteRole, { id: 1 })).status).toBe(200);
    expect((await client.call(deleteRole, { id: 2 })).status).toBe(403);
    await admin.call(deleteMenu, { id: given(added.envelope.data) });
    expect((await client.call(deleteRole, { id: 1 })).status).toBe(403);
  });
});

describe('a menu’s path', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)//',
    '\\\\x.invalid',
    '//x.invalid/',
    '/\\x.invalid',
    '/\t/x.invalid',
    'data:text/html,<script>alert(1)</script>',
    'main/x',
  ])('%j is no route and no button code: refused at its field, nothing is kept', async (path) => {
    const admin = await server.admin();
    const refusal = {
      success: false,
      code: 400,
      data: { errors: { path: '路径须以一个 / 开头，或为按钮的权限代码' } },
    };
    expect((await admin.call(addMenu, { title: '外链', type: 'MENU', path })).envelope).toMatchObject(
      refusal,
    );
    const id = await menuId('/main/pms/menu');
    expect((await admin.call(updateMenu, { id, title: '菜单管理', path })).envelope).toMatchObject(refusal);
    expect((await seededMenus()).filter((menu) => menu.title === '外链')).toEqual([]);
    expect(await menuId('/main/pms/menu')).toBe(id);
  });

  it('that is shaped like a button code, and a script, is none for a menu', async () => {
    const admin = await server.admin();
    const refusal = { success: false, code: 400, data: { errors: { path: '菜单的路径须以一个 / 开头' } } };
    const form = { title: '外链', type: 'MENU', path: 'javascript:a:b' } as const;
    expect((await admin.call(addMenu, form)).envelope).toMatchObject(refusal);
    const id = await menuId('/main/pms/menu');
    expect((await admin.call(updateMenu, { ...form, id })).envelope).toMatchObject(refusal);
  });
});

describe('a menu’s expression', () => {
  it.each([
    'pms/role/**',
    '/news/**，/mail/**',
    '/news/** /mail/**',
    '/news/**;/mail/**',
    '/pms/role/deleteById/{id}',
  ])('%j would grant nothing of what it says: refused at its field', async (urlExpression) => {
    const admin = await server.admin();
    const form = { title: '表达式', type: 'MENU', path: '/main/expression', urlExpression } as const;
    expect((await admin.call(addMenu, form)).envelope).toMatchObject({
      success: false,
      data: { errors: { urlExpression: expect.stringContaining('英文逗号') } },
    });
  });

  it('may have blanks and nothing between its commas, and may be blank', async () => {
    const admin = await server.admin();
    for (const urlExpression of [
      ' /news/** , /mail/config/list ,',
      '/session/getById/1?,/a.b/~c-d/%E4%B8%AD',
      ' ',
    ]) {
      const added = await admin.call(addMenu, { title: '表达式', type: 'FOLDER', urlExpression });
      expect(added.envelope.msg).toBe('新增成功');
    }
  });
});

describe('nobody grants what they do not hold', () => {
  it('binding menus to a role', async () => {
    const { client } = await signedIn(roleScreen);
    const role = await client.call(addRole, { desc: '我的角色', name: 'mine' });
    const rid = given(role.envelope.data);
    expect(
      (await client.call(bindRoleMenus, { rid, menuIds: [await menuId('/main/pms/role')] })).envelope.success,
    ).toBe(true);
    const beyond = await client.call(bindRoleMenus, { rid, menuIds: [await menuId('/main/pms/operator')] });
    expect(beyond.envelope).toMatchObject(refusedWith('不能授予自己没有的权限'));
    const after = (await client.call(listRoles, { name: 'mine' })).envelope.data?.[0];
    expect(after?.hasMenus).toEqual([{ id: await menuId('/main/pms/role') }]);
  });

  it('binding roles to an operator, oneself included', async () => {
    const { client, id, roleId } = await signedIn(operatorScreen);
    const full = given(
      (await (await server.admin()).call(listRoles, { name: 'administrator' })).envelope.data?.[0]?.id,
    );
    expect(
      (await client.call(bindOperatorRoles, { oid: id, roleIds: [roleId, full] })).envelope,
    ).toMatchObject(refusedWith('不能授予自己没有的权限'));
  });

  it('writing an expression beyond one’s own', async () => {
    const { client } = await signedIn(['/main/pms/menu', 'pms:menu:add', 'pms:menu:update']);
    const form = { title: '越权', type: 'MENU', path: '/main/evil', urlExpression: '/**' } as const;
    expect((await client.call(addMenu, form)).envelope).toMatchObject(refusedWith('不能授予自己没有的权限'));
    const held = await client.call(updateMenu, {
      id: await menuId('/main/pms/menu'),
      title: '菜单管理',
      path: '/main/pms/menu',
      urlExpression: '/pms/**',
    });
    expect(held.envelope).toMatchObject(refusedWith('不能授予自己没有的权限'));
  });

  it('touching an operator or a role with more rights', async () => {
    const admin = await server.admin();
    const boss = given((await admin.call(listOperators, { userName: 'admin' })).envelope.data?.[0]?.id);
    const full = given((await admin.call(listRoles, { name: 'administrator' })).envelope.data?.[0]?.id);
    const { client, id: ownId, roleId } = await signedIn([...operatorScreen, ...roleScreen]);
    const outranked = refusedWith('不能操作权限超出自己的对象');
    expect((await client.call(resetGoogleKey, { id: boss })).envelope).toMatchObject(outranked);
    expect((await client.call(cleanGoogleKey, { id: boss })).envelope).toMatchObject(outranked);
    expect((await client.call(updateOperator, { id: boss, userName: 'x' })).envelope).toMatchObject(
      outranked,
    );
    expect((await client.call(deleteOperator, { id: boss })).envelope).toMatchObject(outranked);
    expect((await client.call(bindOperatorRoles, { oid: boss, roleIds: [] })).envelope).toMatchObject(
      outranked,
    );
    expect((await client.call(updateRole, { id: full, desc: 'x', name: 'x' })).envelope).toMatchObject(
      outranked,
    );
    expect((await client.call(bindRoleMenus, { rid: full, menuIds: [] })).envelope).toMatchObject(outranked);
    expect((await client.call(deleteRole, { id: full })).envelope).toMatchObject(outranked);
    // The lists tell it beforehand, by the same rule.
    const { data: operators } = (await client.call(listOperators, {})).envelope;
    const { data: roles } = (await client.call(listRoles, {})).envelope;
    const told = (rows: readonly { id: number; outranks: boolean }[] | null) =>
      given(rows).flatMap(({ id, outranks }) => (outranks ? id : []));
    expect(told(operators)).toContain(boss);
    expect(told(roles)).toContain(full);
    expect(told(roles)).not.toContain(roleId);
    expect(given(operators).filter(({ own }) => own)).toMatchObject([{ id: ownId, outranks: false }]);
    const sorted = await client.call(listRoles, { sort: 'desc' });
    expect(told(sorted.envelope.data).sort()).toEqual(told(roles).sort());
    expect(told((await admin.call(listOperators, {})).envelope.data)).toEqual([]);
    expect(told((await admin.call(listRoles, {})).envelope.data)).toEqual([]);
  });

  it('touching a menu that is not one’s own', async () => {
    const { client } = await signedIn(['/main/pms/menu', 'pms:menu:update', 'pms:menu:delete']);
    const id = await menuId('pms:role:add');
    const outranked = refusedWith('不能操作权限超出自己的对象');
    const taken = { id, title: '夺走', path: 'pms:role:add' };
    expect((await client.call(updateMenu, taken)).envelope).toMatchObject(outranked);
    expect((await client.call(deleteMenu, { id })).envelope).toMatchObject(outranked);
    const menus = flatMenus(given((await client.call(listMenus, {})).envelope.data));
    const own = menus.flatMap(({ path, outranks }) => (outranks ? [] : path));
    expect(own.sort()).toEqual(['/main/pms/menu', 'pms:menu:delete', 'pms:menu:update']);
  });

  it('ignores fields the call does not have', async () => {
    const admin = await server.admin();
    const sent = { desc: '多余字段', name: 'extra', id: 1, hasMenus: [{ id: 1 }] };
    const added = await admin.call(addRole, sent);
    expect(added.envelope.data).not.toBe(1);
    expect((await admin.call(listRoles, { name: 'extra' })).envelope.data?.[0]?.hasMenus).toEqual([]);
  });
});

describe('the last operator with full rights', () => {
  const last = refusedWith('至少要保留一名拥有全部权限的操作员');

  it('cannot be stripped, by any door', async () => {
    const admin = await server.admin();
    const me = (await admin.call(listOperators, { userName: 'admin' })).envelope.data?.[0];
    const full = (await admin.call(listRoles, { name: 'administrator' })).envelope.data?.[0];
    // Who cannot sign in mends nothing.
    const { id: disabled } = await buildOperator(server.db);
    await replaceRoles(server.db, disabled, [given(full?.id)]);
    await server.db.updateTable('operator').set({ disabled: true }).where('id', '=', disabled).execute();
    expect((await admin.call(bindOperatorRoles, { oid: given(me?.id), roleIds: [] })).envelope).toMatchObject(
      last,
    );
    expect((await admin.call(bindRoleMenus, { rid: given(full?.id), menuIds: [] })).envelope).toMatchObject(
      last,
    );
    expect((await admin.call(deleteOperator, { id: given(me?.id) })).envelope).toMatchObject(
      refusedWith('不能删除自己'),
    );
    const button = await menuId('pms:role:bindMenu');
    expect((await admin.call(deleteMenu, { id: button })).envelope).toMatchObject(last);
    const narrowed = { id: button, title: '分配菜单', path: 'pms:role:bindMenu', urlExpression: '/nothing' };
    expect((await admin.call(updateMenu, narrowed)).envelope).toMatchObject(last);
  });

  it('may go when another one stays, and two cannot strip each other at once', async () => {
    const [one, two] = await Promise.all([0, 1].map(async () => signedIn(await allGrants(server.db))));
    if (!one || !two) throw new Error('two operators expected');
    const everything = (await seededMenus()).map((menu) => menu.id);
    const admin = await server.admin();
    for (const { roleId } of [one, two])
      await admin.call(bindRoleMenus, { rid: roleId, menuIds: everything });
    const boss = given((await admin.call(listOperators, { userName: 'admin' })).envelope.data?.[0]?.id);
    expect((await one.client.call(bindOperatorRoles, { oid: boss, roleIds: [] })).envelope.success).toBe(
      true,
    );
    const answers = await Promise.all([
      one.client.call(bindOperatorRoles, { oid: two.id, roleIds: [] }),
      two.client.call(bindOperatorRoles, { oid: one.id, roleIds: [] }),
    ]);
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    const survivor = answers[0]?.envelope.success ? one : two;
    const full = given(
      (await survivor.client.call(listRoles, { name: 'administrator' })).envelope.data?.[0]?.id,
    );
    expect(
      (await survivor.client.call(bindOperatorRoles, { oid: boss, roleIds: [full] })).envelope.success,
    ).toBe(true);
  });

  it('holds a menu added later, and so can hand it on', async () => {
    const admin = await server.admin();
    const id = given((await admin.call(addMenu, { title: '后来的', type: 'FOLDER' })).envelope.data);
    const full = (await admin.call(listRoles, { name: 'administrator' })).envelope.data?.[0];
    expect(full?.hasMenus.some((menu) => menu.id === id)).toBe(true);
    const others =
      (await admin.call(listRoles, {})).envelope.data?.filter((role) => role.id !== full?.id) ?? [];
    expect(others.length).toBeGreaterThan(0);
  });
});

describe('menus, roles and operators', () => {
  it('refuse what is malformed at its field, in Chinese, and change nothing', async () => {
    const admin = await server.admin();
    const { envelope } = await admin.call(addRole, { desc: '', name: '' });
    expect(envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '角色名称不能为空',
      data: { errors: { desc: '角色名称不能为空' } },
    });
    expect((await admin.call(addMenu, { title: '孤立按钮', type: 'BTN' })).envelope).toMatchObject(
      refusedWith('上级菜单须为菜单'),
    );
    expect((await admin.call(deleteMenu, { id: 987_654 })).envelope).toMatchObject(refusedWith('记录不存在'));
  });

  it('refuse a name that stands already', async () => {
    const admin = await server.admin();
    await admin.call(addRole, { desc: '一', name: 'twice' });
    expect((await admin.call(addRole, { desc: '二', name: 'twice' })).envelope).toMatchObject(
      refusedWith('角色标识已存在'),
    );
    const form = { userName: 'Twice', password: 'long enough' };
    expect((await admin.call(addOperator, form)).envelope.success).toBe(true);
    expect((await admin.call(addOperator, { ...form, userName: 'twice' })).envelope).toMatchObject(
      refusedWith('用户名已存在'),
    );
  });

  it('refuse to delete a role somebody has, and a menu with others below it', async () => {
    const admin = await server.admin();
    const { roleId } = await buildOperator(server.db);
    expect((await admin.call(deleteRole, { id: roleId })).envelope).toMatchObject(
      refusedWith('角色正在被使用，不能删除'),
    );
    expect((await admin.call(deleteMenu, { id: await menuId('/main/pms/menu') })).envelope).toMatchObject(
      refusedWith('请先删除下级菜单'),
    );
  });

  it('are found by their search fields', async () => {
    const admin = await server.admin();
    const tree = (await admin.call(listMenus, { title: '分配菜单', type: 'BTN' })).envelope.data ?? [];
    expect(flatMenus(tree).map((menu) => menu.title)).toEqual(['权限管理', '角色管理', '分配菜单']);
    // A folder by itself, which others hang from all the same.
    const folders = given((await admin.call(listMenus, { title: '权限管理', type: 'FOLDER' })).envelope.data);
    expect(folders).toMatchObject([{ title: '权限管理', childrens: [], hasBelow: true }]);
    await admin.call(addRole, { desc: '100%_特殊', name: 'percent' });
    expect((await admin.call(listRoles, { desc: '%_' })).envelope.data?.map((role) => role.name)).toEqual([
      'percent',
    ]);
    const none = await admin.call(listRoles, {
      createDateRange: ['2000-01-01 00:00:00', '2000-01-02 23:59:59'],
    });
    expect(none.envelope.data).toEqual([]);
  });
});
