import { expect, test } from './fixtures.ts';

test('the report is drawn and summed up, and its rows lead down to the slips', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/bet/report');
  const rows = page.locator('tbody').getByRole('row');
  const totals = page.getByRole('group', { name: '全部合计' });
  await expect(totals).toContainText('平台盈亏');
  // The crowd of sample data bets all the time.
  await expect(async () => {
    await page.getByRole('button', { name: '搜索' }).click();
    await expect(rows.first().getByRole('link', { name: '按游戏' })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 90_000 });
  await expect(page.getByRole('img', { name: /^盈亏按日/ }).locator('canvas')).toBeVisible();
  const [day = ''] = /\d{4}-\d\d-\d\d/.exec((await rows.first().textContent()) ?? '') ?? [];
  expect(day).not.toBe('');
  await rows.first().getByRole('link', { name: '按游戏' }).click();
  await expect(page).toHaveURL(new RegExp(`range=${day}&range=${day}`));
  await expect(page.getByRole('img', { name: /^盈亏按游戏/ })).toBeVisible();
  await rows.filter({ hasText: '示例五分彩' }).getByRole('link', { name: '按玩法' }).click();
  await expect(page).toHaveURL(/groupBy=PLAY_WAY/);
  await expect(page.getByRole('img', { name: /^盈亏按玩法/ })).toBeVisible();
  await rows.first().getByRole('link', { name: '按用户' }).click();
  await expect(page).toHaveURL(/playWayId=\d+/);
  await expect(page.getByRole('img', { name: /^盈亏按用户/ })).toBeVisible();
  await rows.first().getByRole('link', { name: '注单' }).click();
  await expect(page).toHaveURL(/\/main\/bet\/slip\?.*userId=\d+/);
  await expect(page.locator('tbody').getByRole('row').first()).toContainText('示例五分彩');
});
