import type { Page, Route } from '@playwright/test';
import { oldestBrowsers } from '#console/parts/browsers.ts';
import { addUser } from '#contract/users.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, firstOperator, test } from './fixtures.ts';
import { openForm } from './forms.ts';
import { hold } from './hold.ts';
import { watchReading } from './reading.ts';

// Playwright takes an array for a value and its options, unless the value is wrapped.
test.use({
  allowedComplaints: [
    [/status of (403|502)/, /ERR_FAILED/, /dynamically imported/, /end of input/],
    { scope: 'test' },
  ],
});

/** Has what a page asks for there be refused, as where the database does not answer, until it is let again. */
async function refuse(page: Page, pattern: string): Promise<() => Promise<void>> {
  const json = { success: false, msg: '系统无响应', data: null, code: 503 };
  await page.route(pattern, (route) => route.fulfill({ status: 502, json }));
  return () => page.unroute(pattern);
}

test('an HTTP error is told by the catalogue, any other only where the list would be', async ({
  operatorPage: page,
}) => {
  const answer = (status: number, body: string) =>
    page.route('**/api/pms/role/list', (route) => route.fulfill({ status, body }), { times: 1 });
  await answer(403, JSON.stringify({ success: false, msg: null, data: null, code: 403 }));
  await page.goto('/main/pms/role');
  await expect(page.getByRole('alert').getByText('权限不足!').first()).toBeVisible();
  await answer(502, '');
  await page.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByText('列表加载失败')).toBeVisible();
  // What got no answer from the system is asked for again without anybody.
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
});

test('a screen stays when the menus cannot be read anew', async ({ operatorPage: page }) => {
  const roles = page.getByRole('cell', { name: '超级管理员' });
  await page.goto('/main/pms/role');
  await expect(roles).toBeVisible();
  const menus = '**/api/pms/menu/listByCurrentUser';
  await refuse(page, menus);
  const refused = page.waitForResponse(menus);
  await page.reload();
  await refused;
  await expect(page.getByText('系统无响应')).toBeVisible();
  await expect(roles).toBeVisible();
});

test('a window that never knew its menus says why it is empty', async ({ operatorPage: page }) => {
  const letAgain = await refuse(page, '**/api/pms/menu/listByCurrentUser');
  await page.goto('/main/pms/role');
  const told = page.getByRole('alert').filter({ hasText: '菜单加载失败' });
  await expect(told.getByText('系统无响应')).toBeVisible();
  await letAgain();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('a desk says that it could not be read anew, and keeps what it knew', async ({ operatorPage: page }) => {
  const waiting = page.getByRole('status').filter({ hasText: /待处理充值 \d+ 笔/ });
  const lines = page.getByRole('region', { name: '队列' }).getByRole('listitem');
  await page.goto('/main/user/money-desk');
  await expect(waiting).toBeVisible();
  const before = await lines.count();
  const letAgain = await refuse(page, '**/api/user/moneyDesk/queue');
  await page.getByRole('button', { name: '领取下一笔（N）' }).click();
  await expect(page.getByRole('status').filter({ hasText: '数据未能更新：系统无响应' })).toBeVisible();
  await expect(lines).toHaveCount(before);
  await letAgain();
  await page.getByRole('button', { name: /一笔（N）/ }).click();
  await expect(waiting).toBeVisible();
});

test('a page of a row that could not be read is read again by itself', async ({ operatorPage: page }) => {
  const name = `r${Date.now().toString(36)}`;
  const id = given(
    (await (await clientOf()).call(addUser, { username: name, nickName: name })).envelope.data,
  );
  // Once it hears of what happens elsewhere, the page reads itself again.
  const { letGo } = await hold(page, '**/api/live/happenings*');
  const letAgain = await refuse(page, '**/api/user/page/get');
  await page.goto(`/main/user/user-page?id=${id}`);
  const failed = page.getByRole('main').getByRole('alert').filter({ hasText: '系统无响应' });
  await expect(failed).toBeVisible();
  await letAgain();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  letGo();
});

test('the finder does not say that nothing is there where nobody could look', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await refuse(page, '**/api/search/find');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /查找页面/ }).fill('nobody knows');
  await expect(
    page.getByRole('status').filter({ hasText: '用户、订单等查找失败：系统无响应' }),
  ).toBeVisible();
  await expect(page.getByText('没有找到')).toHaveCount(0);
});

test('the parts of the security page that could not be read say so, and are read again', async ({
  operatorPage: page,
}) => {
  const letAgain = await refuse(page, '**/api/system/safe/*');
  await page.goto('/main/other/safe');
  for (const name of ['谷歌验证', '登录提醒']) {
    const part = page.getByRole('region', { name });
    await expect(part.getByRole('alert')).toContainText('系统无响应');
  }
  await letAgain();
  await expect(page.getByRole('button', { name: '绑定谷歌验证' })).toBeVisible();
  await expect(page.getByRole('button', { name: '设置邮箱' })).toBeVisible();
});

test('a player’s page stays where it cannot be read anew', async ({ operatorPage: page }) => {
  const client = await clientOf();
  const nickName = `留在页上 ${Date.now()}`;
  const id = given((await client.call(addUser, { nickName })).envelope.data);
  await page.goto(`/main/user/user-page?id=${id}`);
  const head = page.getByRole('heading', { name: nickName });
  await expect(head).toBeVisible();
  await refuse(page, '**/api/user/page/get');
  await page.getByRole('button', { name: '投注', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '冻结' }).click();
  const dialog = page.getByRole('dialog', { name: /^冻结用户/ });
  await dialog.getByLabel('原因').fill('核实身份');
  const refused = page.waitForResponse('**/api/user/page/get');
  await dialog.getByRole('button', { name: '提交' }).click();
  await refused;
  await expect(page.getByText('系统无响应')).toBeVisible();
  await expect(head).toBeVisible();
});

test('what a page comes to is told once its rows are known', async ({ operatorPage: page }) => {
  const orders = '**/api/user/depositRecord/page';
  const ofPage = page.getByRole('group', { name: '本页合计' }).locator('dd').first();
  const { asked, letGo } = await hold(page, orders);
  await page.route(orders, (route) => route.fulfill({ status: 502, body: '' }), { times: 1 });
  await page.goto('/main/user/deposit-record');
  await expect(page.getByText('列表加载失败')).toBeVisible();
  await expect(ofPage).toHaveText('—');
  await expect.poll(asked).toBe(1);
  // It says why until there is an answer.
  await expect(page.getByText('列表加载失败')).toBeVisible();
  await expect(ofPage).toHaveText('—');
  letGo();
  await expect(ofPage).toHaveText(/^[\d,]+\.\d\d$/);
});

test('a file of the console that does not come takes nothing else with it', async ({
  operatorPage: page,
}) => {
  const roles = page.getByRole('cell', { name: '超级管理员' });
  let lost = 0;
  const lose = (file: string) =>
    page.route(`**/assets/${file}-*.js`, (route) => {
      lost += 1;
      return route.abort();
    });
  await lose('DrawnIcon');
  await page.goto('/main/pms/role');
  await expect(roles).toBeVisible();
  // Drawings of the menu are asked for several times, and then gone without.
  await expect.poll(() => lost).toBe(3);
  await lose('FormDialog');
  await page.getByRole('button', { name: '新增' }).click();
  await expect(page.getByText('窗口未能打开')).toBeVisible();
  await expect(roles).toBeVisible();
  await page.unroute('**/assets/FormDialog-*.js');
  await expect(async () => {
    // One that opened late lies over the button.
    if (!(await openForm(page).isVisible())) await page.getByRole('button', { name: '新增' }).click();
    await expect(openForm(page)).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.keyboard.press('Escape');

  // Its styles alone may be lost as well: it is not shown without them.
  await page.route('**/assets/ImportDialog-*.css', (route) => route.abort(), { times: 1 });
  await page.goto('/main/user/user');
  await page.getByRole('button', { name: '导入' }).click();
  await expect(page.getByRole('dialog', { name: /^导入/ })).toBeVisible();
  const styles = page.locator('link[rel="stylesheet"][href*="ImportDialog"]');
  expect(await styles.evaluate((link: HTMLLinkElement) => link.sheet !== null)).toBe(true);
});

test('whoever waits for a part of the console sees that it is on its way, and that it has come', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/user');
  await expect(page.getByRole('cell').first()).toBeVisible();
  const opening = page.getByRole('status').filter({ hasText: '正在打开…' });
  const screen = await hold(page, '**/assets/NewsScreen-*.js');
  await page.getByRole('button', { name: '新闻管理' }).click();
  await page.getByRole('link', { name: '新闻管理' }).click();
  await expect(opening).toBeVisible();
  // What is there can be used meanwhile.
  await page.getByRole('tab', { name: '用户管理' }).click();
  await expect(opening).toBeHidden();
  const dialog = await hold(page, '**/assets/FormDialog-*.js');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await expect(opening).toBeVisible();
  dialog.letGo();
  await expect(page.getByRole('dialog').getByLabel('昵称')).toBeVisible();
  await expect(opening).toHaveCount(0);
  await page.keyboard.press('Escape');
  screen.letGo();
  await page.getByRole('tab', { name: '新闻管理' }).click();
  await expect(page.getByRole('columnheader', { name: '标题' })).toBeVisible();
});

const program = '**/assets/entry-*.js';

test('a page whose program is long in coming says so, until it has come', async ({ page }) => {
  const held = await hold(page, program);
  await page.goto('/login', { waitUntil: 'commit' });
  const said = () =>
    page.locator('#root').evaluate((root) => {
      const { content, visibility } = getComputedStyle(root, '::after');
      return visibility === 'visible' && content !== 'none' ? content : null;
    });
  await expect.poll(said).toBe('"正在打开…"');
  held.letGo();
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible();
  expect(await said()).toBeNull();
});

const comings: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'does not come': (route) => route.abort(),
  'comes in pieces': (route) => route.fulfill({ contentType: 'text/javascript', body: 'const half = {' }),
};
for (const [how, come] of Object.entries(comings))
  test(`a page whose program ${how} says so in place of nothing`, async ({ page }) => {
    await page.route(program, come);
    await page.goto('/login');
    await expect(page.getByText('页面没有取到')).toBeVisible();
    await page.unroute(program);
    await page.getByRole('button', { name: '重新加载' }).click();
    await expect(page.getByRole('button', { name: '登录' })).toBeVisible();
  });

test('a browser too old for the console says so in place of nothing', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Set.prototype, 'symmetricDifference'));
  const allRead = await watchReading(page);
  await page.goto('/login');
  await expect(page.getByText(`请使用 ${oldestBrowsers} 或更新的版本`)).toBeVisible();
  await allRead();
  await expect(page.getByRole('button', { name: '登录' })).toHaveCount(0);
});

test('whoever has signed in while the menus do not come is told, and gets in once they do', async ({
  page,
}) => {
  const letAgain = await refuse(page, '**/api/pms/menu/listByCurrentUser');
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(firstOperator.username);
  await page.getByLabel('登录密码').fill(firstOperator.password);
  await page.getByRole('button', { name: '登录' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '菜单加载失败' })).toBeVisible();
  await letAgain();
  await page.waitForURL(/\/main\/user\/user/);
});
