import type { Page } from '@playwright/test';
import { expect, firstOperator, test } from './fixtures.ts';
import { giveUp, openForm, pickPreset, rowOf, rows } from './forms.ts';
import { waitingOrder } from './orders.ts';

test('the dialogs of a row say which row they are about', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await rowOf(page, '超级管理员').getByRole('button', { name: '编辑' }).click();
  const about = openForm(page).getByRole('definition');
  await expect(about.filter({ hasText: '超级管理员' })).toBeVisible();
  await expect(about.filter({ hasText: 'administrator' })).toBeVisible();
  await giveUp(openForm(page));

  // A game stands as its name, not as its number.
  await page.goto('/main/game/number');
  // Names come after the rows; until then a number stands there.
  await expect(rows(page).first().getByRole('cell').first()).toHaveText(/\D/);
  const [game, number] = await rows(page).first().getByRole('cell').allTextContents();
  await rows(page).first().getByRole('button', { name: '编辑' }).click();
  await expect(openForm(page).getByRole('definition')).toContainText([game ?? '', number ?? '']);

  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  await expect(openForm(page).getByLabel('角色名称')).toBeVisible();
  await expect(openForm(page).getByRole('definition')).toHaveCount(0);
});

test('an order’s dialog shows payer and account; a rejection needs a reason; the row says what happened', async ({
  operatorPage: page,
}) => {
  await page.goto(`/main/user/withdraw-record?id=${await waitingOrder.withdrawal()}`);
  await rows(page).getByRole('button', { name: '标记' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '拒绝' }).click();
  const form = openForm(page);
  for (const label of ['用户编号', '用户名', '金额', '提现方式', '收款人姓名', '收款账号', '三方单号'])
    await expect(form.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible();
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByText('拒绝订单须填写原因')).toBeVisible();
  await form.getByLabel('备注').fill('收款账号有误');
  await expect(form.getByText('拒绝订单须填写原因')).toHaveCount(0);
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toHaveCount(0);
  const outcome = rows(page).first().getByText('已拒绝').locator('..');
  await expect(outcome).toHaveText('已拒绝admin');
  await expect(outcome).toHaveAttribute('title', /收款账号有误/);
});

test('money has its thousands set apart for the eye; what is copied is the number', async ({
  operatorPage: page,
}) => {
  await page.route('**/api/user/account/page', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: { data: Record<string, unknown>[] } };
    answer.data.data = answer.data.data.slice(0, 1).map((account) => ({
      ...account,
      totalAmount: '1234981.62',
      availableAmount: '1234981.6',
      freezeAmount: '0.0210',
    }));
    await route.fulfill({ json: answer });
  });
  await page.goto('/main/user/account');
  const cells = rows(page).first().getByRole('cell');
  await expect(cells.nth(4)).toHaveText('1234981.62');
  await expect(cells.nth(5)).toHaveText('1234981.60');
  await expect(cells.nth(6)).toHaveText('0.021');
  const separators = await cells
    .nth(4)
    .locator('span > span')
    .evaluateAll((groups) => groups.map((group) => getComputedStyle(group, '::before').content));
  expect(separators).toEqual(['","', '","']);
  await cells.nth(4).dblclick();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('1234981.62');
});

test.describe('without a network', () => {
  test.use({ allowedComplaints: [[/ERR_INTERNET_DISCONNECTED|ERR_FAILED/], { scope: 'test' }] });

  test('a command says that nothing came back, and its word gives way to the next success', async ({
    operatorPage: page,
  }) => {
    await page.goto('/main/user/user');
    const add = async () => {
      await rows(page).last().getByRole('button', { name: '新增会话' }).click();
      await page.getByRole('dialog').getByRole('button', { name: '新增会话' }).click();
    };
    await expect(rows(page).nth(1)).toBeVisible();
    await page.route('**/api/session/add', (route) => route.abort(), { times: 1 });
    await add();
    const failure = page.getByRole('alert').getByText('没有收到系统的响应');
    await expect(failure).toBeVisible();
    await add();
    await expect(page.getByText('新增成功')).toBeVisible();
    await expect(failure).toHaveCount(0);
  });
});

test('what was said about a field goes once it is typed in again', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByText('角色名称不能为空')).toBeVisible();
  await expect(form.getByText('角色标识不能为空')).toBeVisible();
  await expect(form.getByLabel('角色名称')).toBeFocused();
  await form.getByLabel('角色名称').fill('财务');
  await expect(form.getByText('角色名称不能为空')).toHaveCount(0);
  await expect(form.getByText('角色标识不能为空')).toBeVisible();
});

test('Escape throws no half-filled form away', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await form.getByLabel('角色名称').fill('填了一半');
  await page.keyboard.press('Escape');
  await expect(form.getByText('填写的内容尚未提交')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form.getByLabel('角色名称')).toHaveValue('填了一半');
  await giveUp(form);
  await expect(form).toHaveCount(0);
});

/**
 * Sets the clock of the page's computer back, and nothing else: Playwright's own clock would put simulated timers and frames
 * in the place of the real ones, by which pickers open and close.
 */
const setClockBack = (page: Page, ms: number) =>
  page.addInitScript((behind) => {
    window.Date = new Proxy(Date, {
      construct: (real, given) =>
        given.length > 0 ? Reflect.construct(real, given) : new real(real.now() - behind),
      get: (real, name) => (name === 'now' ? () => real.now() - behind : Reflect.get(real, name)),
    });
  }, ms);

test('a preset counts the server’s days, whatever the clock of the computer says', async ({
  operatorPage: page,
}) => {
  await setClockBack(page, 40 * 86_400_000);
  await page.goto('/main/pms/role');
  const shown = Date.parse(await page.evaluate(() => new Date().toISOString()));
  expect(shown).toBeLessThan(Date.now() - 39 * 86_400_000);
  await pickPreset(page, '创建时间', '今天');
  await page.getByRole('button', { name: '搜索' }).click();
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(new Date());
  await expect(page).toHaveURL(new RegExp(`createDateRange=${today}`));
});

test('operators are found by the role they hold', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/operator');
  await page.getByLabel('角色名称').fill('超级管理员');
  await page.getByLabel('角色标识').fill('administrator');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page.getByRole('cell', { name: firstOperator.username, exact: true })).toBeVisible();
  await page.getByLabel('角色标识').fill('没有这个标识');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
});

test('a play way at a loss shows it in full, and the form of odds warns while they are typed', async ({
  operatorPage: page,
}) => {
  await page.route('**/api/game/playWay/page', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: { data: Record<string, unknown>[] } };
    answer.data.data = answer.data.data.slice(0, 1).map((playWay) => ({
      ...playWay,
      ...{ margin: '0.9523', returnRate: '1.0523' },
    }));
    await route.fulfill({ json: answer });
  });
  await page.route('**/api/game/odds/preview', (route) =>
    route.fulfill({ json: { success: true, msg: null, data: { margin: '0.8' }, code: 200 } }),
  );
  await page.goto('/main/game/playway');
  const cells = rows(page)
    .first()
    .getByRole('cell')
    .filter({ has: page.getByText('亏损', { exact: true }) });
  await expect(cells).toHaveCount(2);
  const missing = await cells.evaluateAll((all) => all.map((cell) => cell.scrollWidth - cell.clientWidth));
  expect(missing).toEqual([0, 0]);
  await rows(page).first().getByRole('button', { name: '新增赔率' }).click();
  const form = openForm(page);
  await form.getByLabel('号码').click();
  await page.locator('.ant-select-item-option:visible').first().click();
  await page.locator('.dialog-title').click();
  await form.getByLabel('赔率', { exact: true }).fill('1.5');
  await expect(form.getByRole('status').getByText('亏损', { exact: true })).toBeVisible();
  await expect(form.getByText('平均每注都会亏损')).toBeVisible();
});

test('the current phase is a click away, among plans that lie days ahead', async ({ operatorPage: page }) => {
  await page.goto('/main/game/open-plan');
  await expect(rows(page).first()).toBeVisible();
  const now = new Intl.DateTimeFormat('sv', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const moment = () => now.format(new Date());
  const before = moment();
  await page.getByRole('button', { name: '当前期' }).click();
  await expect(page).toHaveURL(/status=WAITTING.*startTimeRange=.+startTimeRange=/);
  const cell = (place: number) => rows(page).first().getByRole('cell').nth(place).textContent();
  await expect.poll(async () => ((await cell(2)) ?? '9') <= moment()).toBe(true);
  expect((await cell(3)) ?? '').toMatch(/^\d{4}-/);
  // A game of short phases draws while this is read.
  expect(((await cell(3)) ?? '') >= before).toBe(true);
});
