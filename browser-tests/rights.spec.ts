import type { Browser } from '@playwright/test';
import { bindRoleMenus } from '#contract/roles.ts';
import { clientOf, expect, signIn, test } from './fixtures.ts';
import { openForm } from './forms.ts';
import { menuIdsOf, newOperator, newRole } from './operators.ts';
import { unique } from './unique.ts';

const ROLES = '/main/pms/role';
const ADD_ROLE = 'pms:role:add';
const CATEGORIES = '/main/news/category';

/** An operator whose rights can be changed while their window is open. */
async function someone(browser: Browser, baseURL: string | undefined, ...granted: string[]) {
  const admin = await clientOf();
  const role = unique('role-');
  const rid = await newRole(admin, granted, role);
  const grant = async (...wanted: string[]) => {
    const menuIds = await menuIdsOf(admin, wanted);
    await admin.call(bindRoleMenus, { rid, menuIds });
  };
  const operator = await newOperator(admin, [rid]);
  const page = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
  await signIn(page, operator);
  return { page, grant, role };
}

test('after a refusal an open window shows what rights there are now, having read them once', async ({
  browser,
  baseURL,
}) => {
  const { page, grant } = await someone(browser, baseURL, ROLES, ADD_ROLE);
  const menu = page.getByRole('navigation', { name: '主菜单' });
  const add = page.getByRole('button', { name: '新增', exact: true });
  await add.click();
  await openForm(page).getByLabel('角色名称').fill('不会有');
  await openForm(page).getByLabel('角色标识').fill('never');
  await expect(menu.getByRole('button', { name: '新闻管理' })).toHaveCount(0);
  await grant(ROLES, CATEGORIES);
  let read = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/pms/menu/listByCurrentUser')) read += 1;
  });
  await openForm(page).getByRole('button', { name: '提交' }).click();
  const told = page.getByTitle('点击关闭').filter({ hasText: '需要权限' });
  await expect(told).toHaveCount(1);
  await expect(menu.getByRole('button', { name: '新闻管理' })).toBeVisible();
  await expect(add).toHaveCount(0);
  expect(read).toBe(1);

  // The screen itself is taken: what it would need stands in its place.
  await grant(CATEGORIES);
  await page.reload();
  await expect(page.getByRole('heading', { name: '找不到页面' })).toBeVisible();
  await page.close();
});

test('a screen whose right is gone is told in its place alone, and asked for no more', async ({
  browser,
  baseURL,
}) => {
  const { page, grant } = await someone(browser, baseURL, ROLES);
  await page.goto(ROLES);
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await page.waitForFunction((key) => localStorage.getItem(key), `first ${ROLES}`);
  await grant(CATEGORIES);
  const lost = page.getByRole('heading', { name: '找不到页面' });
  await page.reload();
  await expect(lost).toBeVisible();
  await expect(page.getByText('需要权限：权限管理 / 角色管理')).toBeVisible();
  await expect(page.getByTitle('点击关闭')).toHaveCount(0);
  expect(await page.evaluate((key) => localStorage.getItem(key), `first ${ROLES}`)).toBeNull();

  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const read = page.waitForResponse('**/api/pms/menu/listByCurrentUser');
  await page.reload();
  await read;
  await expect(lost).toBeVisible();
  expect(complaints).toEqual([]);
  await page.close();
});

test('what outranks whoever looks has no buttons that would be refused, and what they lack cannot be ticked', async ({
  browser,
  baseURL,
}) => {
  const buttons = ['pms:role:update', 'pms:role:bindMenu', 'pms:role:delete', 'pms:role:copy'];
  const { page, role } = await someone(browser, baseURL, ROLES, CATEGORIES, ...buttons);
  await page.goto(ROLES);
  const above = page.getByRole('row').filter({ hasText: '超级管理员' });
  await expect(above.getByText('权限超出自己')).toBeVisible();
  await expect(above.getByRole('button', { name: /编辑|分配|删除/ })).toHaveCount(0);
  await above.getByRole('button', { name: '权限' }).click();
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['权限说明', '对比']);
  await page.keyboard.press('Escape');

  const own = page.getByRole('row').filter({ hasText: role });
  await own.getByRole('button', { name: '分配菜单' }).click();
  const tree = openForm(page).getByRole('group', { name: '菜单' });
  await tree.getByRole('button', { name: '展开新闻管理' }).click();
  await expect(tree.getByRole('checkbox', { name: '新闻分类' })).toBeEnabled();
  for (const lacking of ['用户管理', '新闻管理']) {
    const box = tree.getByRole('checkbox', { name: lacking, exact: true }).last();
    await expect(box).toBeDisabled();
    await expect(box).toHaveAccessibleDescription('不能授予自己没有的权限');
  }
  await tree.getByRole('checkbox', { name: '新闻分类' }).uncheck();
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect(openForm(page)).toHaveCount(0);
  await page.close();
});

test('the money desk has what its operator may decide, and says what is wanting to decide anything', async ({
  browser,
  baseURL,
}) => {
  const desk = '/main/user/money-desk';
  const { page, grant } = await someone(browser, baseURL, desk);
  await page.goto(desk);
  const take = page.getByRole('button', { name: '领取下一笔（N）' });
  await expect(page.getByRole('alert')).toHaveText(
    '资金工作台只有您可以审核的订单。需要权限：用户管理 / 充值订单 或 用户管理 / 提现订单',
  );
  await expect(take).toHaveCount(0);
  await grant(desk, '/main/user/withdraw-record');
  // A link of somebody who decides deposits too.
  await page.goto(`${desk}?kind=DEPOSIT`);
  await expect(take).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^待处理提现 \d+ 笔/ })).toBeVisible();
  await expect(page.getByRole('group', { name: '订单种类' })).toHaveCount(0);
  await page.close();
});

test('what is taken of the lists that news are told of leaves an open window by itself', async ({
  browser,
  baseURL,
}) => {
  const deposits = '/main/user/deposit-record';
  const withdrawals = '/main/user/withdraw-record';
  const { page, grant } = await someone(browser, baseURL, deposits, withdrawals);
  const menu = page.getByRole('navigation', { name: '主菜单' });
  await menu.getByRole('link', { name: /充值/ }).click();
  await expect(menu.getByRole('link', { name: /提现/ })).toBeVisible();
  // News have come once the title says how much waits.
  await expect(page).toHaveTitle(/^\(\d+\) /);
  await grant(deposits);
  await expect(menu.getByRole('link', { name: /提现/ })).toHaveCount(0);
  await expect(menu.getByRole('link', { name: /充值/ })).toBeVisible();
  await page.close();
});
