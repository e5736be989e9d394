import { expect, test } from './fixtures.ts';

test('a game that draws by itself: planned, drawn, read in the records and verified by anyone', async ({
  operatorPage: page,
  browser,
}) => {
  const unique = Date.now().toString(36);
  const name = `自开彩${unique}`;
  const token = await page.evaluate(() => JSON.stringify(localStorage));
  const access = /access_token[\\"]+:[\\"]+([^\\"]+)/.exec(token)?.[1] ?? '';
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`/api${path}`, {
      data,
      headers: { authorization: `Bearer ${access}` },
    });
    const { success, msg, data: result } = await answer.json();
    expect(success, `${path}: ${msg}`).toBe(true);
    return result;
  };
  const categoryId = await send('/game/category/add', { name, index: 9 });
  const gameId = await send('/lotteryGame/add', {
    ...{ name, categoryId, openRate: 2, stopBetSecond: 0, phase: '100001', status: true },
    timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
  });

  await page.goto(`/main/game/spider?gameId=${gameId}`);
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('采集名称').fill('本地');
  await form.getByLabel('游戏', { exact: true }).click();
  await page.getByTitle(name, { exact: true }).last().click();
  await form.getByLabel('采集器类名').click();
  await page
    .getByTitle(/^LocalDrawSpider/)
    .last()
    .click();
  await form.getByLabel('采集选项').fill('{"count": 3, "pool": ["1", "2", "3", "4"], "repeat": false}');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(page.locator('tbody').getByRole('row').filter({ hasText: 'LocalDrawSpider' })).toHaveCount(1);

  const wall = (seconds: number) =>
    new Date(Date.now() + 8 * 3_600_000 + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  await send('/game/openPlan/generate', { gameId, beginDate: wall(0), endDate: wall(10) });
  const rows = page.locator('tbody').getByRole('row');
  await page.goto(`/main/game/open-plan?gameId=${gameId}`);
  await expect(rows.first()).toContainText(name);
  await expect(async () => {
    await page.goto(`/main/game/open-record?gameId=${gameId}`);
    await expect(rows.first()).toContainText('本地开奖', { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await rows.first().getByRole('button').first().click();
  const href = (await page.getByRole('link', { name: '打开验证页' }).getAttribute('href')) ?? '';

  const anyone = await browser.newPage();
  await anyone.goto(new URL(href, page.url()).href);
  await expect(anyone.getByText('验证通过')).toBeVisible();
});
