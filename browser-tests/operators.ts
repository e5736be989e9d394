import { listMenus } from '#contract/menus.ts';
import { addOperator, bindOperatorRoles } from '#contract/operators.ts';
import { addRole, bindRoleMenus } from '#contract/roles.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { unique } from './unique.ts';

/** The ids of the menus with these paths: routes and button codes. */
export async function menuIdsOf(admin: TestClient, paths: readonly string[]): Promise<number[]> {
  const menus = flatMenus(given((await admin.call(listMenus, {})).envelope.data));
  const ids = menus.filter(({ path }) => path !== null && paths.includes(path)).map(({ id }) => id);
  if (ids.length !== paths.length) throw new Error(`unknown menus among ${paths.join(', ')}`);
  return ids;
}

/** A role that holds the menus with these paths and no other. Gives its id. */
export async function newRole(
  admin: TestClient,
  paths: readonly string[],
  name = unique('role-'),
): Promise<number> {
  const rid = given((await admin.call(addRole, { desc: name, name })).envelope.data);
  given((await admin.call(bindRoleMenus, { rid, menuIds: await menuIdsOf(admin, paths) })).envelope.data);
  return rid;
}

/** An operator of these roles, of this test alone. */
export async function newOperator(
  admin: TestClient,
  roleIds: readonly number[],
  { username = unique('op-'), password = unique('password of ') } = {},
) {
  const oid = given((await admin.call(addOperator, { userName: username, password })).envelope.data);
  given((await admin.call(bindOperatorRoles, { oid, roleIds: [...roleIds] })).envelope.data);
  return { id: oid, username, password };
}
