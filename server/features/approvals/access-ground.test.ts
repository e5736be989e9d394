import { afterAll, expect, it } from 'vitest';
import { addMenu, listMenus, updateMenu } from '#contract/menus.ts';
import {
  bindOperatorRoles,
  disableOperator,
  listOperators,
  resetGoogleKey,
  resetOperatorPassword,
} from '#contract/operators.ts';
import { addRole, bindRoleMenus } from '#contract/roles.ts';
import { changePassword } from '#contract/security.ts';
import { replaceRoles } from '#server/features/operators/operator-store.ts';
import { approvalSeenBy, startApproving, waiting } from '#server/testing/approving.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';

const { server, admin, second, release } = await startApproving();
afterAll(() => server.close());

const CHANGED = '提交之后情况已变化，与预览不符，不能放行，请驳回后重新提交';
const accessOf = async (id: number) => (await approvalSeenBy(second.client, id)).access;
const allMenus = async () => flatMenus(given((await admin.call(listMenus, {})).envelope.data));
const menuAt = async (path: string) => given((await allMenus()).find((menu) => menu.path === path));
const rolesOf = async (userName: string) =>
  given((await admin.call(listOperators, { userName })).envelope.data?.[0]).hasRoles.length;

let serial = 0;
/** A role of these menus that nobody holds. */
async function roleOf(menuIds: number[]) {
  const rid = Number((await admin.call(addRole, { desc: '员工', name: `staff-${++serial}` })).envelope.data);
  expect((await admin.call(bindRoleMenus, { rid, menuIds })).envelope.data).toBe(true);
  return rid;
}
/** An operator without any role. */
async function newcomer() {
  const { id: oid, username } = await buildOperator(server.db);
  await replaceRoles(server.db, oid, []);
  return { oid, username };
}

it('a role that has grown since it was to be given is not given: who releases has seen what it holds', async () => {
  const news = await menuAt('/main/news/news');
  const rid = await roleOf([news.id]);
  const { oid, username } = await newcomer();
  const id = waiting(await admin.call(bindOperatorRoles, { oid, roleIds: [rid] }));
  const [change, ...others] = await accessOf(id);
  expect(others).toEqual([]);
  const gained = given(news.urlExpression)
    .split(',')
    .map((pattern) => `${news.title}：${pattern.trim()}`);
  expect(change).toEqual({ operatorId: oid, userName: username, gained, lost: [] });

  const all = (await allMenus()).map((menu) => menu.id);
  expect((await admin.call(bindRoleMenus, { rid, menuIds: all })).envelope.data).toBe(true);
  expect((await release(id)).msg).toBe(CHANGED);
  expect(await rolesOf(username)).toBe(0);
  expect((await approvalSeenBy(second.client, id)).status).toBe('PENDING');

  expect((await admin.call(bindRoleMenus, { rid, menuIds: [news.id] })).envelope.data).toBe(true);
  expect((await release(id)).success).toBe(true);
  expect(await rolesOf(username)).toBe(1);
});

it('a menu that has grown since it was to be given is not given', async () => {
  const { id: parentId } = await menuAt('/main/news/news');
  const narrow = { title: '看新闻', path: 'own:narrow', urlExpression: '/news/news/page', index: 1 };
  const added = await admin.call(addMenu, { ...narrow, parentId, type: 'BTN' });
  const menuId = Number(added.envelope.data);
  const { roleId: rid, username } = await buildOperator(server.db);
  const id = waiting(await admin.call(bindRoleMenus, { rid, menuIds: [menuId] }));
  expect(await accessOf(id)).toMatchObject([{ userName: username, gained: ['看新闻：/news/news/page'] }]);
  const wide = { ...narrow, urlExpression: '/news/**,/user/**,/bet/**,/pms/operator/**' };
  expect((await admin.call(updateMenu, { id: menuId, ...wide })).envelope.data).toBe(menuId);
  expect((await release(id)).msg).toBe(CHANGED);
  expect((await admin.call(updateMenu, { id: menuId, ...narrow })).envelope.data).toBe(menuId);
  expect((await release(id)).success).toBe(true);
});

it('all who gain by a role are named, and somebody who came to hold it meanwhile is not given more unseen', async () => {
  const [account, news] = [await menuAt('/main/user/account'), await menuAt('/main/news/news')];
  const first = await buildOperator(server.db, { grants: ['/main/news/news'] });
  const grow = () => admin.call(bindRoleMenus, { rid: first.roleId, menuIds: [news.id, account.id] });
  const id = waiting(await grow());
  expect((await approvalSeenBy(second.client, id)).why).toBe(`“${first.username}”将有更多权限`);

  const others = [await newcomer(), await newcomer(), await newcomer()];
  const { roleId: rid } = first;
  for (const { oid } of others)
    expect((await release(waiting(await admin.call(bindOperatorRoles, { oid, roleIds: [rid] })))).data).toBe(
      true,
    );
  expect((await release(id)).msg).toBe(CHANGED);

  const anew = waiting(await grow());
  const names = [first.username, ...others.map(({ username }) => username)];
  expect((await accessOf(anew)).map(({ userName }) => userName)).toEqual(names);
  const told = names.slice(0, 3).map((name) => `“${name}”`);
  expect((await approvalSeenBy(second.client, anew)).why).toBe(`${told.join('、')}等 4 名操作员将有更多权限`);
  expect((await release(anew)).success).toBe(true);
});

it('what somebody may release is told, and what they lose, also by their disabling', async () => {
  const grants = ['/main/system/approval', 'approval:release:money'];
  const { id: oid, username } = await buildOperator(server.db, { grants });
  for (const call of [bindOperatorRoles, disableOperator]) {
    const input = call === bindOperatorRoles ? { oid, roleIds: [] } : { id: oid };
    const id = waiting(await admin.call<typeof bindOperatorRoles | typeof disableOperator>(call, input));
    const [change] = await accessOf(id);
    expect(change).toMatchObject({ userName: username, gained: [] });
    expect(change?.lost).toContain('放行权：复核资金');
    expect(change?.lost.some((words) => words.startsWith('待复核：/approval'))).toBe(true);
  }
});

it('nobody is given the right to release with a password that was reset unseen, before or after it was asked for', async () => {
  const [screen, right] = [await menuAt('/main/system/approval'), await menuAt('approval:release:money')];
  const rid = await roleOf([screen.id, right.id]);
  const { oid, username } = await newcomer();
  const give = () => admin.call(bindOperatorRoles, { oid, roleIds: [rid] });
  const whyOf = async (id: number) => (await approvalSeenBy(second.client, id)).why;
  const id = waiting(await give());
  expect(await whyOf(id)).toBe(`“${username}”将有复核权限`);
  // The account releases nothing yet, so this takes nobody else; and whoever knows the word makes it their own.
  const password = 'a word that two know';
  expect((await admin.call(resetOperatorPassword, { id: oid, password })).envelope.data).toBe(true);
  const theirs = await server.as(username, password);
  const newPassword = 'a word of their own';
  const changing = { oldPassword: password, newPassword, newConfirm: newPassword };
  expect((await theirs.call(changePassword, changing)).envelope.success).toBe(true);
  expect((await release(id)).msg).toBe(CHANGED);
  expect(await rolesOf(username)).toBe(0);

  const anew = waiting(await give());
  const seconds = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}';
  expect(await whyOf(anew)).toMatch(
    new RegExp(`^“${username}”将有复核权限；重置操作员密码“${username}”：由“admin”于 ${seconds}$`),
  );
  expect((await admin.call(resetGoogleKey, { id: oid })).envelope.success).toBe(true);
  expect((await release(anew)).msg).toBe(CHANGED);
  const last = waiting(await give());
  expect(await whyOf(last)).toContain(`重置谷歌密钥“${username}”：由“admin”于`);
  expect((await release(last)).success).toBe(true);
  expect(await rolesOf(username)).toBe(1);
});
