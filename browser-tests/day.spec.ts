import { randomUUID } from 'node:crypto';
import { resetOperatorPassword } from '#contract/operators.ts';
import { createUser, placeDeposit } from '#contract/platform.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, signIn, site, test } from './fixtures.ts';
import { newOperator, newRole } from './operators.ts';
import { unique } from './unique.ts';

/** An operator with these screens and codes, with a password that somebody else gave. */
async function newcomer(grants: readonly string[]) {
  const admin = await clientOf();
  const { id, username } = await newOperator(admin, [await newRole(admin, grants)]);
  const password = `given to ${unique()}`;
  const reset = await admin.call(resetOperatorPassword, { id, password });
  expect(reset.envelope.success).toBe(true);
  return { username, password };
}

test('a support agent finds a player by a part of a phone number, and a screen, an action and a theme by their words', async ({
  operatorPage: page,
}) => {
  const phone = `1${String(Date.now()).slice(-10)}`;
  const nickName = `查找${unique()}`;
  await site().call(createUser, { nickName, username: `p${unique()}`, phone });
  // What can be found is slow to come: what is typed meanwhile is the finder's, not that of the field that had the focus.
  let arrive = () => {};
  const arriving = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/Choices-[^/]*\.js/, async (route) => {
    await arriving;
    await route.continue();
  });
  await page.goto('/main/user/user');
  const asked = page.getByLabel('用户名', { exact: true }).first();
  await asked.focus();
  const finder = page.getByRole('combobox', { name: /查找页面/ });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('开奖 计划');
  await page.keyboard.press('Enter');
  await expect(finder).toHaveValue('开奖 计划');
  await expect(asked).toHaveValue('');
  arrive();
  await expect(page).toHaveURL('/main/game/open-plan');

  await page.goto('/main/analysis/bashboard');
  await expect(page.getByRole('heading', { name: /您好/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type(phone.slice(3));
  const hit = page.getByRole('option', { name: new RegExp(nickName) });
  await expect(hit).toBeVisible();
  await expect(hit).toContainText(phone);
  await expect(hit).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/main\/user\/user(-page)?\?id=\d+/);
  await expect(page.locator('main').getByText(nickName).first()).toBeVisible();
  await expect(finder).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type('开奖 记录');
  await expect(page.getByRole('option', { name: /页面 ?开奖记录/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/main/game/open-record');
  await expect(finder).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type('新增游戏');
  const add = page.getByRole('option', { name: /操作 ?新增游戏$/ });
  await expect(add).toBeVisible();
  await add.click();
  await expect(page).toHaveURL('/main/game/lottery');
  await expect(page.getByRole('dialog').getByLabel('游戏名称')).toBeVisible();
  await page.keyboard.press('Escape');

  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.getByRole('button', { name: '查找' }).click();
  await expect(finder).toBeFocused();
  await page.keyboard.type('主题');
  await page.keyboard.press('Enter');
  await expect.poll(theme).not.toBe(before);

  const menus = page.getByRole('navigation', { name: '主菜单' });
  await menus.getByRole('searchbox', { name: '搜索菜单' }).fill('采集');
  await expect(menus.getByRole('link')).toHaveText(['数据概览', /^开奖采集/]);
});

test('a new cashier with two menus changes the password given, sees what waits first, and nothing that leads nowhere', async ({
  page,
}) => {
  const grants = ['/main/user/deposit-record', '/main/user/withdraw-record'];
  const { username, password } = await newcomer(grants);
  const userId = given(
    (await site().call(createUser, { nickName: '收银', username: `p${unique()}` })).envelope.data,
  );
  const bankOrderNo = `day-${randomUUID()}`;
  await site().call(placeDeposit, { userId, amount: '20', type: 'THIRD_PARTY', bankOrderNo });
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(username);
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/change-password/);
  const own = `my own ${unique()}`;
  await page.getByLabel('临时密码').fill(password);
  await page.getByLabel('新密码', { exact: true }).fill(own);
  await page.getByLabel('确认密码').fill(own);
  await page.getByRole('button', { name: '修改密码' }).click();
  await page.waitForURL(/\/(main|login)/);
  if (page.url().includes('/login')) await signIn(page, { username, password: own });
  await page.goto('/main/analysis/bashboard');
  const regions = page.locator('.overview').getByRole('region');
  await expect(regions.first()).toHaveAccessibleName('待处理');
  const tile = regions.first().getByRole('link', { name: /待审核充值/ });
  await expect(tile).toHaveAttribute('data-level', 'busy');
  await expect(page.locator('.overview [data-level="bad"]')).toHaveCount(0);
  const menus = page.getByRole('navigation', { name: '主菜单' });
  await menus.getByRole('searchbox').fill('订单');
  await expect(menus.getByRole('link')).toHaveCount(3);

  const finder = page.getByRole('combobox', { name: /查找页面/ });
  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type(bankOrderNo);
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/main\/user\/deposit-record\?id=\d+/);
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type('新增');
  await expect(page.getByText('没有找到')).toBeVisible();
});
