import { expect, test } from './fixtures.ts';
import { hold } from './hold.ts';

// Playwright takes an array for a value and its options, unless the value is wrapped.
test.use({ allowedComplaints: [[/status of (403|502)/], { scope: 'test' }] });

test('an HTTP error is told by the catalogue, any other only where the list would be', async ({
  operatorPage: page,
}) => {
  const answer = (status: number) =>
    page.route('**/api/pms/role/list', (route) => route.fulfill({ status, body: '' }), { times: 1 });
  await answer(403);
  await page.goto('/main/pms/role');
  await expect(page.getByRole('alert').getByText('权限不足!').first()).toBeVisible();
  await answer(502);
  await page.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByText('列表加载失败')).toBeVisible();
  await page.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
});

test('a screen stays when the menus cannot be read anew', async ({ operatorPage: page }) => {
  const roles = page.getByRole('cell', { name: '超级管理员' });
  await page.goto('/main/pms/role');
  await expect(roles).toBeVisible();
  const menus = '**/api/pms/menu/listByCurrentUser';
  await page.route(menus, (route) =>
    route.fulfill({ status: 502, json: { success: false, msg: '系统无响应', data: null, code: 503 } }),
  );
  const refused = page.waitForResponse(menus);
  await page.reload();
  await refused;
  await expect(page.getByText('系统无响应')).toBeVisible();
  await expect(roles).toBeVisible();
});

test('a window that never knew its menus says why it is empty', async ({ operatorPage: page }) => {
  const menus = '**/api/pms/menu/listByCurrentUser';
  await page.route(menus, (route) =>
    route.fulfill({ status: 502, json: { success: false, msg: '系统无响应', data: null, code: 503 } }),
  );
  await page.goto('/main/pms/role');
  const told = page.getByRole('alert').filter({ hasText: '菜单加载失败' });
  await expect(told.getByText('系统无响应')).toBeVisible();
  await page.unroute(menus);
  await told.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('what a page comes to is told once its rows are known', async ({ operatorPage: page }) => {
  const ofPage = page.getByRole('group', { name: '本页合计' }).locator('dd').first();
  await page.route('**/api/user/depositRecord/page', (route) => route.fulfill({ status: 502, body: '' }), {
    times: 1,
  });
  await page.goto('/main/user/deposit-record');
  await expect(page.getByText('列表加载失败')).toBeVisible();
  await expect(ofPage).toHaveText('—');
  const { letGo } = await hold(page, '**/api/user/depositRecord/page');
  await page.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByText('列表加载失败')).toHaveCount(0);
  await expect(ofPage).toHaveText('—');
  letGo();
  await expect(ofPage).toHaveText(/^[\d,]+\.\d\d$/);
});
