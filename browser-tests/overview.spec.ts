import { login } from '../contract/sign-in.ts';
import { addUser } from '../contract/users.ts';
import { testClient } from '../server/testing/test-client.ts';
import { expect, firstOperator, test } from './fixtures.ts';

test('the overview keeps itself up to date, and its figures lead to their lists', async ({
  operatorPage: page,
  baseURL,
}) => {
  await page.goto('/main/analysis/bashboard');
  const today = page.getByRole('region', { name: '今日' });
  const comers = today.getByRole('link', { name: /新增用户/ });
  await expect(comers).toBeVisible();
  await expect(page.getByRole('img', { name: /近 30 日资金/ })).toBeVisible();
  // Less paid out is neither good nor bad news.
  const paidOut = page.getByRole('region', { name: '本月' }).getByRole('link', { name: /提现/ });
  await expect(paidOut.locator('b')).toHaveAttribute('data-direction', 'same');
  await expect(
    page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '数据概览' }),
  ).toHaveAttribute('aria-current', 'page');
  const figure = async () => Number(await comers.locator('strong').textContent());
  const before = await figure();

  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const { envelope } = await testClient(baseURL ?? '').call(login, firstOperator);
  const other = testClient(baseURL ?? '', envelope.data?.access_token);
  await other.call(addUser, { nickName: '概览来客' });
  await expect.poll(figure, { timeout: 15_000 }).toBeGreaterThan(before);
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);

  await comers.click();
  await expect(page).toHaveURL(/\/main\/user\/user\?createTimeRange=.+createTimeRange=/);
  await expect(page.getByRole('row').filter({ hasText: '概览来客' }).first()).toBeVisible();

  await page.goto('/main/analysis/bashboard');
  await page
    .getByRole('region', { name: '待处理' })
    .getByRole('link', { name: /待审核充值/ })
    .click();
  await expect(page).toHaveURL('/main/user/deposit-record?status=PROCESSING');
  await expect(page.getByRole('row').filter({ hasText: '成功' })).toHaveCount(0);
});

test('the handbook explains screens and leads to them', async ({ operatorPage: page }) => {
  await page.goto('/main/other/document');
  await page.getByRole('navigation', { name: '目录' }).getByRole('link', { name: '账变记录' }).click();
  const chapter = page.getByRole('region', { name: '账变记录' });
  await expect(chapter).toBeInViewport();
  await chapter.getByRole('link', { name: '打开' }).click();
  await expect(page).toHaveURL('/main/user/account-history');
});
