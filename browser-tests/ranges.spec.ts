import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const start = (page: Page) => page.getByLabel('创建时间').first();
const end = (page: Page) => page.getByPlaceholder('结束日期');
const searched = (page: Page) => new URL(page.url()).searchParams.getAll('createDateRange');

/** Role 超级管理员 came with the database. */
async function openRoles(page: Page) {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(start(page)).toBeEnabled();
}

test('moments are typed to the second, sign by sign', async ({ operatorPage: page }) => {
  await openRoles(page);
  await start(page).click();
  await page.keyboard.type('2026-01-15 08:30:00');
  await expect(start(page)).toHaveValue('2026-01-15 08:30:00');
  await page.keyboard.press('Enter');
  await expect(end(page)).toBeFocused();
  await page.keyboard.type('2026-01-20 09:45:30');
  await page.keyboard.press('Enter');
  const typed = ['2026-01-15 08:30:00', '2026-01-20 09:45:30'];
  await expect.poll(() => searched(page)).toEqual(typed);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(end(page)).toHaveValue('2026-01-20 09:45:30');
});

test('what is typed counts without being confirmed, whichever way one goes on', async ({
  operatorPage: page,
}) => {
  await openRoles(page);
  await start(page).click();
  await page.keyboard.type('2026-01-15 08:30:00');
  await end(page).click();
  await expect(end(page)).toBeFocused();
  await page.keyboard.type('2026-01-20 09:45:30');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect.poll(() => searched(page)).toEqual(['2026-01-15 08:30:00', '2026-01-20 09:45:30']);
});

test('a day alone is completed however it is written, from its first second to its last; what is half written is refused', async ({
  operatorPage: page,
}) => {
  await openRoles(page);
  await start(page).click();
  await page.keyboard.type('2026-01-15');
  await page.keyboard.press('Tab');
  await expect(start(page)).toHaveValue('2026-01-15 00:00:00');
  await page.keyboard.type('2026/1/20');
  await page.keyboard.press('Tab');
  await expect(end(page)).toHaveValue('2026-01-20 23:59:59');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect.poll(() => searched(page)).toEqual(['2026-01-15 00:00:00', '2026-01-20 23:59:59']);

  const address = page.url();
  await end(page).fill('2026-02-30');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: '“2026-02-30”不完整' })).toBeVisible();
  expect(page.url()).toBe(address);
  await page.getByLabel('角色名称').click();
  await expect(end(page)).toHaveValue('2026-01-20 23:59:59');
});

test('the keyboard goes through a search bar both ways, past an empty range', async ({
  operatorPage: page,
}) => {
  await openRoles(page);
  await page.getByLabel('角色标识').focus();
  const way = [start(page), end(page), page.getByRole('button', { name: '搜索' })];
  for (const stop of way) {
    await page.keyboard.press('Tab');
    await expect(stop).toBeFocused();
  }
  for (const stop of [end(page), start(page), page.getByLabel('角色标识')]) {
    await page.keyboard.press('Shift+Tab');
    await expect(stop).toBeFocused();
  }
});

test('a preset is taken by keyboard: down to it, along, and back in the field', async ({
  operatorPage: page,
}) => {
  await openRoles(page);
  await expect(start(page)).toHaveAccessibleDescription('开始，按向下键选常用的时间');
  await expect(end(page)).toHaveAccessibleDescription('结束，按向下键选常用的时间');
  const picker = page.locator('.ant-picker-dropdown:visible');
  await page.getByLabel('角色标识').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(picker.getByRole('menuitem', { name: '上月' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(picker).toHaveCount(0);
  await expect(start(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(picker.getByRole('menuitem', { name: '上月' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(picker.getByRole('menuitem', { name: '今天' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker).toHaveCount(0);
  await expect(start(page)).toBeFocused();
  await expect(start(page)).toHaveValue(/ 00:00:00$/);
  await expect(end(page)).toHaveValue(/ 23:59:59$/);
  // From there it goes on as from a field that was filled in by hand.
  await page.keyboard.press('Tab');
  await expect(end(page)).toBeFocused();
  await page.getByRole('button', { name: '搜索' }).press('Enter');
  await expect.poll(() => searched(page)).toHaveLength(2);
});

for (const room of [
  { width: 390, height: 844 },
  { width: 640, height: 400 },
])
  test(`a picker stands inside a window of ${room.width} x ${room.height}, as on a phone or at 200 % zoom`, async ({
    operatorPage: page,
  }) => {
    await page.setViewportSize(room);
    await openRoles(page);
    await page.getByRole('button', { name: '更多条件' }).click();
    await start(page).click();
    const picker = page.locator('.ant-picker-dropdown:visible');
    await picker.getByText('昨天', { exact: true }).waitFor();
    const isInside = () =>
      picker.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isWhole = element.scrollWidth <= element.clientWidth;
        return isWhole && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      });
    await expect.poll(isInside).toBe(true);
    await picker.getByText('昨天', { exact: true }).click();
    await expect(start(page)).toHaveValue(/ 00:00:00$/);
  });

test('a range with one end is refused at its field, and nothing is asked', async ({ operatorPage: page }) => {
  await openRoles(page);
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/pms/role/list') && asked.push(request.url()));
  await start(page).click();
  await page.keyboard.type('2026-01-15 08:30:00');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const refused = page.getByRole('alert').filter({ hasText: '请选择开始和结束时间' });
  await expect(refused).toHaveCount(0);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(refused).toBeVisible();
  expect(asked).toEqual([]);
  for (const one of [start(page), end(page)]) {
    // Which end it is goes on being said.
    await expect(one).toHaveAccessibleDescription(/^请选择开始和结束时间 (开始|结束)，按向下键/);
    await expect(one).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(start(page)).toBeFocused();
  await end(page).fill('2026-01-20 09:45:30');
  await expect(refused).toHaveCount(0);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect.poll(() => searched(page)).toEqual(['2026-01-15 08:30:00', '2026-01-20 09:45:30']);

  asked.length = 0;
  await page.goto('/main/pms/role?createDateRange=2026-01-15+00:00:00');
  await expect(refused).toBeVisible();
  await expect(start(page)).toHaveValue('2026-01-15 00:00:00');
  await expect(page.getByText('搜索条件不完整')).toBeVisible();
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: '重置' }).click();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(refused).toHaveCount(0);
});

test('what the server refuses of a search is told at its field, until something else is typed', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/deposit-record?id=abc');
  const field = page.getByRole('search').getByRole('alert');
  await expect(field).toHaveText('订单编号须为整数');
  // Not cut off by the one row that the search is folded to.
  await expect(field).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('搜索条件有误，请修改后再搜索')).toBeVisible();
  await expect(page.getByRole('button', { name: '重新加载' })).toHaveCount(0);
  await page.getByLabel('订单编号').fill(' ９９９９９９９ ');
  await expect(page.getByLabel('订单编号')).toHaveValue('9999999');
  await expect(field).toHaveCount(0);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
});

test('a refused search is read out at its field alone, which has the keyboard', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/deposit-record');
  const field = page.getByLabel('订单编号', { exact: true });
  await expect(field).not.toHaveAttribute('aria-invalid');
  await field.fill('abc');
  await page.getByRole('button', { name: '搜索' }).click();
  // It goes by itself, so that only what it is while it stands tells anything.
  const notice = page.locator('.toast').filter({ hasText: '订单编号须为整数' });
  await expect(notice).toBeVisible();
  expect(await notice.getByRole('alert').count()).toBe(0);
  await expect(page.getByRole('search').getByRole('alert')).toHaveCount(1);
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription('订单编号须为整数');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('9');
  await expect(field).toHaveAccessibleDescription('');
  await expect(field).not.toHaveAttribute('aria-invalid');

  // A range that ends before it begins.
  await page.goto('/main/pms/role?createDateRange=2026-01-20+00:00:00&createDateRange=2026-01-15+00:00:00');
  const told = (await page.getByRole('search').getByRole('alert').textContent()) ?? '';
  for (const one of [start(page), end(page)]) {
    await expect(one).toHaveAccessibleDescription(new RegExp(told));
    await expect(one).toHaveAttribute('aria-invalid', 'true');
  }
});
