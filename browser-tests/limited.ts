import type { Browser } from '@playwright/test';
import { listMenus } from '#contract/menus.ts';
import { addOperator, bindOperatorRoles } from '#contract/operators.ts';
import { addRole, bindRoleMenus } from '#contract/roles.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { giveSession } from './fixtures.ts';

let serial = 0;

const idOf = ({ envelope }: { envelope: { data: number | null; msg: string | null } }): number => {
  if (envelope.data === null) throw new Error(String(envelope.msg));
  return envelope.data;
};

/** Signed in as an operator who may open these screens and no other. */
export async function limited(
  browser: Browser,
  client: TestClient,
  baseURL: string | undefined,
  paths: string[],
) {
  const menus = flatMenus((await client.call(listMenus, {})).envelope.data ?? []);
  const menuIds = menus.filter(({ path }) => paths.includes(path ?? '')).map(({ id }) => id);
  const name = `limited${Date.now().toString(36)}${++serial}`;
  const rid = idOf(await client.call(addRole, { desc: name, name }));
  await client.call(bindRoleMenus, { rid, menuIds });
  const operator = { userName: name, password: 'correct horse battery' };
  const oid = idOf(await client.call(addOperator, operator));
  await client.call(bindOperatorRoles, { oid, roleIds: [rid] });
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  await giveSession(context, { username: name, password: operator.password });
  return context.newPage();
}
