import { expect, test } from './fixtures.ts';
import { hold } from './hold.ts';

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
    await expect(rows.first().getByRole('link', { name: '按游戏' })).toBeVisible({ timeout: 5_000 });
  }).toPass();
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

test('what is drawn of the report and of the overview is not pushed away by what comes later', async ({
  operatorPage: page,
}) => {
  const report = await hold(page, '**/api/bet/report/page');
  await page.goto('/main/bet/report');
  const head = page.getByRole('columnheader', { name: '注单数' });
  const topOfRows = async () => (await head.boundingBox())?.y ?? 0;
  await expect.poll(report.asked).toBeGreaterThan(0);
  const before = await topOfRows();
  report.letGo();
  await expect(page.getByRole('img', { name: /^盈亏按日/ }).locator('canvas')).toBeVisible();
  // A line of sums more or less, by how long they are.
  expect(Math.abs((await topOfRows()) - before)).toBeLessThan(40);

  const overview = await hold(page, '**/api/analysis/overview');
  await page.goto('/main/analysis/bashboard');
  await expect.poll(overview.asked).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { name: /^您好/ })).toBeVisible();
  const shortcuts = page.getByRole('region', { name: '快捷入口' });
  await expect(shortcuts).toHaveCount(0);
  overview.letGo();
  await expect(page.getByRole('region', { name: '待处理' })).toBeVisible();
  await expect(shortcuts).toBeVisible();
});

const dayFrom = (days: number) =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(Date.now() + days * 86_400_000);

test('presets of the report are its own days, also while its day of yesterday goes on', async ({
  ownPage: page,
}) => {
  const [today, yesterday] = [dayFrom(0), dayFrom(-1)];
  // As where its days begin late in the evening; the parameter is everybody's.
  let told = yesterday;
  await page.route('**/api/system/consoleSettings', async (route) => {
    const response = await route.fetch();
    const reportDay = { today: told, dayStart: '23:59' };
    await route.fulfill({
      response,
      json: { ...(await response.json()), data: { watermark: false, reportDay } },
    });
  });
  const range = (day: string) => `range=${day}&range=${day}`;
  await page.goto('/main/bet/report');
  const start = page.getByLabel('日期').first();
  await expect(start).toBeEnabled();
  await start.click();
  const picker = page.locator('.ant-picker-dropdown:visible');
  await expect(picker).toContainText(`现在是报表的 ${yesterday}，报表的一天从 23:59 开始`);
  await picker.getByText('今天', { exact: true }).click();
  await expect(start).toHaveValue(yesterday);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page).toHaveURL((url) => url.search === `?${range(yesterday)}`);

  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('button', { name: '保存当前视图' }).click();
  const form = page.getByRole('dialog').filter({ hasText: '保存视图' });
  await form.getByLabel('视图名称').fill('今天的盈亏');
  await expect(form).toContainText('今天（随日期变化）');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toHaveCount(0);
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '默认打开“今天的盈亏”', exact: true }).click();
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await expect(page.getByRole('button', { name: '不再默认打开“今天的盈亏”' })).toBeVisible();
  await page.goto('/main/bet/report');
  await expect(page).toHaveURL((url) => url.search === `?${range(yesterday)}`);

  // Once its next day has begun, in a window that stands open, and in one that is opened.
  told = today;
  await start.click();
  await expect(picker).toContainText(`现在是报表的 ${today}`);
  await picker.getByText('今天', { exact: true }).click();
  await expect(start).toHaveValue(today);
  await page.goto('/main/bet/report');
  await expect(page).toHaveURL((url) => url.search === `?${range(today)}`);
});
