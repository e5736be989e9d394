import type { Locator, Page } from '@playwright/test';
import { addListView, startListView } from '#contract/list-preferences.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, signIn, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { newOperator, newRole } from './operators.ts';
import { unique } from './unique.ts';

const DEPOSITS = '/main/user/deposit-record';
const heads = (page: Page): Promise<string[]> => page.getByRole('columnheader').allTextContents();

/** An operator who sees the deposits, so that what is kept for an operator is no other test's. */
async function cashier() {
  const admin = await clientOf();
  return newOperator(admin, [await newRole(admin, [DEPOSITS])]);
}

/** Takes the end of a head and lets it go further on. */
async function dragEnd(page: Page, head: Locator, by: number) {
  const grip = head.locator('.list-grip');
  await grip.hover();
  await page.mouse.down();
  const { x, y, width, height } = given((await grip.boundingBox()) ?? undefined);
  await page.mouse.move(x + width / 2 + by, y + height / 2, { steps: 4 });
  await page.mouse.up();
}

test('columns are hidden, moved, widened and pinned, for the operator wherever they sign in, and reset', async ({
  page,
  browser,
  baseURL,
}) => {
  const operator = await cashier();
  await signIn(page, operator);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  const before = await heads(page);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  const panel = page.getByRole('dialog').getByRole('group', { name: '列' });
  await panel.getByLabel('付款账号', { exact: true }).uncheck();
  await expect(page.getByRole('columnheader', { name: '付款账号' })).toHaveCount(0);
  await panel.getByRole('button', { name: '上移状态' }).click();
  await panel.getByLabel('三方单号的列宽').fill('300');
  await panel.getByRole('button', { name: '固定金额' }).click();
  await expect.poll(async () => (await heads(page)).indexOf('金额')).toBe(1);
  await panel.getByRole('button', { name: '紧凑' }).click();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  const laidOut = await heads(page);
  expect(laidOut.indexOf('状态')).toBeLessThan(laidOut.indexOf('充值方式'));
  const head = page.getByRole('columnheader', { name: '三方单号' });
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
  await expect.poll(width).toBe(300);
  // Where other tests' rows come in meanwhile, columns may move from under the mouse before it takes hold.
  await expect(async () => {
    await dragEnd(page, head, 340 - (await width()));
    await expect.poll(width, { timeout: 5_000 }).toBe(340);
  }).toPass();
  // Pinned: it stays where it is while the others move under it.
  const amount = page.getByRole('columnheader', { name: '金额', exact: true });
  const arrow = rows(page).first().getByRole('button', { name: '展开' });
  const places = async () => [(await amount.boundingBox())?.x, (await arrow.boundingBox())?.x];
  const still = await places();
  const box = page.getByRole('region', { name: '分页查询充值订单' });
  // Where the rows of others are short, all columns have room in a wider window.
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect.poll(() => box.evaluate((list) => list.scrollWidth - list.clientWidth)).toBeGreaterThan(0);
  await box.evaluate((list) => list.scrollTo({ left: 200 }));
  expect(await box.evaluate((list) => list.scrollLeft)).toBeGreaterThan(0);
  expect(await places()).toEqual(still);
  await page.setViewportSize({ width: 1280, height: 800 });

  const elsewhere = await browser.newPage({ locale: 'zh-CN', ...(baseURL ? { baseURL } : {}) });
  await signIn(elsewhere, operator);
  await elsewhere.goto(DEPOSITS);
  await expect.poll(() => heads(elsewhere)).toEqual(laidOut);
  await elsewhere.getByRole('button').filter({ hasText: /^列/ }).click();
  await elsewhere.getByRole('button', { name: '恢复默认' }).click();
  await expect.poll(() => heads(elsewhere)).toEqual(before);
  await elsewhere.close();
  // The keyboard goes past what is disabled, and through a width without keeping one.
  await page.goto(`${DEPOSITS}?columns=id,amount`);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  await expect(panel.getByLabel('订单编号', { exact: true })).toBeFocused();
  for (const _ of ['the width', 'to pin', 'down']) await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: '下移订单编号' })).toBeFocused();
  await expect(page).toHaveURL(/columns=id/);
  // At the end of its way a button keeps the keyboard, and the panel hears Escape.
  const up = panel.getByRole('button', { name: '上移用户编号' });
  const place = panel.getByRole('status');
  await expect(place).toHaveText('');
  await up.press('Enter');
  // Whoever does not see the order hears where it has come to.
  await expect(place).toHaveText(/^用户编号已在第 1 列，共 \d+ 列$/);
  await expect(up).toHaveAttribute('aria-disabled', 'true');
  await expect(up).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});

test('two windows lay out one list, and neither takes back what the other did', async ({ page, context }) => {
  const operator = await cashier();
  await signIn(page, operator);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  const beside = await context.newPage();
  await beside.goto(DEPOSITS);
  await expect(rows(beside).first()).toBeVisible();
  const hide = async (window: Page, column: string) => {
    await window.getByRole('button').filter({ hasText: /^列/ }).click();
    const saved = window.waitForResponse('**/api/operator/preference/layout');
    await window.getByRole('dialog').getByLabel(column, { exact: true }).uncheck();
    await saved;
  };
  await hide(page, '付款账号');
  await hide(beside, '付款人姓名');
  // A width that is none is not kept, and does not go on standing there.
  const width = beside.getByLabel('金额的列宽');
  await width.fill('12');
  await width.press('Tab');
  await expect(width).toHaveValue('');
  // What is seen at once is not told as well.
  expect(await beside.getByText('操作成功').count()).toBe(0);
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => heads(page)).not.toContain('付款人姓名');
  expect(await heads(page)).not.toContain('付款账号');
});

test('how a list was laid out stands, though an answer of before comes after it', async ({ page }) => {
  const operator = await cashier();
  await signIn(page, operator);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  await page.waitForFunction(() => localStorage.getItem('preferences'));
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let answered = 0;
  await page.route('**/api/operator/preference/list', async (route) => {
    const response = await route.fetch();
    answered += 1;
    // The second is asked for to lay out the list as it is by then.
    if (answered !== 2) await held;
    // Whoever asked may have gone meanwhile.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.reload();
  await expect.poll(() => answered).toBe(1);
  const head = page.getByRole('columnheader', { name: '付款账号' });
  await expect(head).toHaveCount(1);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  const saved = page.waitForResponse('**/api/operator/preference/layout');
  await page.getByRole('dialog').getByLabel('付款账号', { exact: true }).uncheck();
  await saved;
  await expect.poll(() => answered).toBe(3);
  letGo();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('preferences'))).toMatch(/hidden":true/);
  await expect(head).toHaveCount(0);
});

const DAY_MS = 86_400_000;
const dayAfter = (days: number) =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(Date.now() + days * DAY_MS);
const rangeOn = (day: string) =>
  new URLSearchParams([`${day} 00:00:00`, `${day} 23:59:59`].map((end) => ['createTimeRange', end]));

test('a view of today shows the day on which it is opened', async ({ page }) => {
  await signIn(page, await cashier());
  await page.goto(`${DEPOSITS}?${rangeOn(dayAfter(0))}`);
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('button', { name: '保存当前视图' }).click();
  const form = page.getByRole('dialog').filter({ hasText: '保存视图' });
  await form.getByLabel('视图名称').fill('今天的');
  await expect(form).toContainText('今天（随日期变化）');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toHaveCount(0);
  // Tomorrow, by what the server says.
  await page.route('**/api/**', async (route) => {
    if (route.request().headers().accept?.includes('event-stream')) return route.continue();
    const date = new Date(Date.now() + DAY_MS).toUTCString();
    // Whoever asked may have gone meanwhile.
    await route
      .fetch()
      .then((response) => route.fulfill({ response, headers: { ...response.headers(), date } }))
      .catch(() => undefined);
  });
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('link', { name: '今天的' }).click();
  await expect(page).toHaveURL((url) => url.search === `?${rangeOn(dayAfter(1))}`);
});

test('what is searched for before the view that a list opens with is known is not taken away', async ({
  page,
}) => {
  const operator = await cashier();
  const own = await clientOf(operator);
  const view = { screen: DEPOSITS, name: '失败的', address: 'status=FAIL' } as const;
  const { data: id } = (await own.call(addListView, view)).envelope;
  await own.call(startListView, { screen: DEPOSITS, ...(id === null || id === undefined ? {} : { id }) });
  const { promise: known, resolve: tell } = Promise.withResolvers<void>();
  await page.route('**/api/operator/preference/list', async (route) => {
    await known;
    await route.continue();
  });
  await signIn(page, operator);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  await page.getByLabel('三方单号').fill('没有这一笔');
  await page.getByRole('button', { name: '搜索' }).click();
  const searched = /bankOrderNo=/;
  await expect(page).toHaveURL(searched);
  const answered = page.waitForResponse('**/api/operator/preference/list');
  tell();
  await answered;
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await expect(page.getByRole('link', { name: '失败的' })).toBeVisible();
  await expect(page).toHaveURL(searched);
});

test('a view saved for a role is opened by another operator of it, who starts with it', async ({
  page,
  browser,
  baseURL,
}) => {
  const admin = await clientOf();
  const role = unique('list-');
  const roleId = await newRole(admin, [DEPOSITS], role);
  await signIn(page, await newOperator(admin, [roleId]));
  await page.goto(`${DEPOSITS}?status=FAIL&sort=-amount`);
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('button', { name: '保存当前视图' }).click();
  const form = page.getByRole('dialog').filter({ hasText: '保存视图' });
  await form.getByLabel('视图名称').fill('大额失败');
  await form.getByLabel('共享给角色').fill(role);
  await page.locator('.ant-select-item-option:visible').filter({ hasText: role }).click();
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toHaveCount(0);

  const theirs = await browser.newPage({ locale: 'zh-CN', ...(baseURL ? { baseURL } : {}) });
  await signIn(theirs, await newOperator(admin, [roleId]));
  await theirs.goto(DEPOSITS);
  await theirs.getByRole('button').filter({ hasText: /^视图/ }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: '默认打开“大额失败”', exact: true }).click();
  await theirs.getByRole('button').filter({ hasText: /^视图/ }).click();
  await theirs.getByRole('link', { name: /大额失败/ }).click();
  await expect(theirs).toHaveURL(/status=FAIL&sort=-amount/);
  await expect(rows(theirs).first()).toContainText('失败');
  // Opened without a search, the list begins with it, and the address says what it shows.
  await theirs.goto(DEPOSITS);
  await expect(theirs).toHaveURL(/status=FAIL&sort=-amount/);
  await expect(rows(theirs).first()).toContainText('失败');
  await theirs.close();

  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '删除视图“大额失败”', exact: true }).click();
  await expect(dialog).toContainText('确定删除视图“大额失败”吗？');
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('删除成功')).toBeVisible();
});
