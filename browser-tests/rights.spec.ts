import type { Browser } from '@playwright/test';
import { bindRoleMenus } from '#contract/roles.ts';
import { clientOf, expect, signIn, test } from './fixtures.ts';
import { openForm } from './forms.ts';
import { menuIdsOf, newOperator, newRole } from './operators.ts';

const ROLES = '/main/pms/role';
const ADD_ROLE = 'pms:role:add';
const CATEGORIES = '/main/news/category';

/** An operator whose rights can be changed while their window is open. */
async function someone(browser: Browser, baseURL: string | undefined, ...granted: string[]) {
  const admin = await clientOf();
  const rid = await newRole(admin, granted);
  const grant = async (...wanted: string[]) => {
    const menuIds = await menuIdsOf(admin, wanted);
    await admin.call(bindRoleMenus, { rid, menuIds });
  };
  const operator = await newOperator(admin, [rid]);
  const page = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
  await signIn(page, operator);
  return { page, grant };
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
  const told = page.getByRole('button', { name: '点击关闭' }).filter({ hasText: '需要权限' });
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
  await expect(page.getByRole('button', { name: '点击关闭' })).toHaveCount(0);
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
