import type { Page } from '@playwright/test';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { unique } from './unique.ts';

/** Sends calls beside a page, for what a test needs and does not look at. */
async function operatorOf(page: Page) {
  const headers = { authorization: `Bearer ${(await clientOf()).token}` };
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`/api${path}`, { data, headers });
    const { success, msg, data: result } = await answer.json();
    expect(success, `${path}: ${msg}`).toBe(true);
    return result;
  };
  const addGame = async (name: string, openRate: number): Promise<number> => {
    const categoryId = await send('/game/category/add', { name, index: 9 });
    return send('/lotteryGame/add', {
      ...{ name, categoryId, openRate, stopBetSecond: 0, phase: '700001', status: true },
      timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
    });
  };
  return { send, addGame };
}

test('a game that draws by itself: planned, drawn, read in the records and verified by anyone', async ({
  operatorPage: page,
  browser,
}) => {
  const name = `自开彩${unique()}`;
  const { send, addGame } = await operatorOf(page);
  const gameId = await addGame(name, 2);

  await page.goto(`/main/game/spider?gameId=${gameId}`);
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('采集名称').fill('本地');
  await form.getByLabel('游戏', { exact: true }).click();
  await page.getByTitle(name, { exact: true }).last().click();
  // By its name and Enter: what is pressed in the list may be scrolled away under the mouse, to the one that was chosen.
  const choose = async (collector: string) => {
    const chosen = form.getByLabel('采集器类名');
    await chosen.fill(collector);
    await expect(page.getByTitle(new RegExp(`^${collector}`)).last()).toBeVisible();
    await chosen.press('Enter');
  };
  await choose('JsonPathSpider');
  await expect(form.getByLabel('开奖列表')).toHaveAccessibleDescription(/RFC 9535/);
  await expect(form.getByLabel('采集地址')).toHaveAccessibleDescription(/\{phase\}.*\{date\}/);
  await expect(form.getByLabel('最短间隔（毫秒）')).toHaveValue('3000');
  await choose('LocalDrawSpider');
  for (const label of ['采集地址', '请求头', '最短间隔（毫秒）'])
    await expect(form.getByLabel(label)).toBeHidden();
  // Each collector asks for what it needs, and not for what another does; as JSON for who wants it.
  await expect(form.getByLabel('开奖列表')).toHaveCount(0);
  await expect(form.getByLabel('公开随机值')).toHaveAccessibleDescription(/\{round\}/);
  await form.getByLabel('开出个数').fill('3');
  await form.getByLabel('号码范围').fill('1-4');
  await form.getByRole('button', { name: '以 JSON 填写' }).click();
  await expect(form.getByLabel('采集选项')).toHaveValue('{"count":3,"pool":["1","2","3","4"]}');
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
    await expect(rows.first()).toContainText('本地开奖', { timeout: 5_000 });
  }).toPass();
  await rows.first().getByRole('button').first().click();
  const href = (await page.getByRole('link', { name: '打开验证页' }).getAttribute('href')) ?? '';

  const anyone = await browser.newPage();
  await anyone.goto(new URL(href, page.url()).href);
  await expect(anyone.getByText('验证通过')).toBeVisible();
});

/** An address whose source answers this body, or what stands in for it when the source is ill. */
const sourceOf = (body: string): string =>
  `${process.env.DRAW_SOURCE}/feed.json?${new URLSearchParams({ body })}`;
const feedOf = (...rows: [phase: string, numbers: string][]): string =>
  sourceOf(
    JSON.stringify({
      rows: rows.length,
      code: 'bjpk10',
      data: rows.map(([phase, numbers]) => ({
        ...{ expect: phase, opencode: numbers, opentime: '2018-01-13 15:22:20', opentimestamp: 1515828140 },
      })),
    }),
  );

test('试运行 shows what a source gives and stores nothing; the row tells how the runs go', async ({
  operatorPage: page,
}) => {
  const { send, addGame } = await operatorOf(page);
  const gameId = await addGame(`采集彩${unique()}`, 3600);
  const spider = { gameId, spiderServiceName: 'OpenCodeSpider', enabled: false };
  await send('/game/spider/add', {
    ...{ ...spider, name: '好的来源', url: feedOf(['661447', '05,06,08'], ['661446', '01 04+07']) },
  });
  const url = sourceOf('<html><head><title>302 Found</title></head></html>');
  await send('/game/spider/add', { ...spider, name: '坏的来源', url });

  await page.goto(`/main/game/spider?gameId=${gameId}`);
  const row = (name: string) => page.locator('tbody').getByRole('row').filter({ hasText: name });
  await row('好的来源').getByRole('button', { name: '试运行' }).click();
  const dialog = page.getByRole('dialog', { name: '试运行：好的来源' });
  await expect(dialog).toContainText('来源现在给出 2 期');
  const drawn = dialog.getByRole('row').filter({ hasText: '661446' });
  await expect(drawn).toContainText('01,04,07');
  await expect(drawn).toContainText('2018-01-13 15:22:20');
  await expect(drawn).toContainText('新开奖结果');
  await examine(page, 'a dry run', { within: dialogs });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await row('坏的来源').getByRole('button', { name: '试运行' }).click();
  await expect(page.getByText('来源返回的是网页而不是 JSON（302 Found）')).toBeVisible();
  await page.goto(`/main/game/open-record?gameId=${gameId}`);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();

  await page.goto(`/main/game/spider?gameId=${gameId}`);
  for (const name of ['好的来源', '坏的来源']) {
    await row(name).getByRole('button', { name: '编辑' }).click();
    await page.getByRole('dialog').getByText('启用', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: '提交' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  const cells = (name: string) => row(name).getByRole('cell').allInnerTexts();
  const moment = /^\d{4}-\d\d-\d\d\s+\d\d:\d\d:\d\d$/;
  await expect(async () => {
    await page.getByRole('button', { name: '搜索' }).click();
    const [good, bad] = [await cells('好的来源'), await cells('坏的来源')];
    expect(good.filter((text) => moment.test(text))).toHaveLength(2);
    expect(good).toContain('0');
    expect(bad.filter((text) => moment.test(text))).toHaveLength(1);
    expect(bad.join()).toContain('来源返回的是网页而不是 JSON');
    expect(bad).toContain('1');
  }).toPass();
});

test('two sources that disagree: both are kept, and an operator settles it with a reason', async ({
  operatorPage: page,
}) => {
  const { send, addGame } = await operatorOf(page);
  const gameId = await addGame(`争议彩${unique()}`, 3600);
  const sources = { 甲站: '05,06,08', 乙站: '05,06,09' };
  for (const [name, numbers] of Object.entries(sources)) {
    const url = feedOf(['661447', numbers]);
    await send('/game/spider/add', { gameId, name, spiderServiceName: 'OpenCodeSpider', url });
  }
  const row = page.locator('tbody').getByRole('row').filter({ hasText: '661447' });
  await expect(async () => {
    await page.goto(`/main/game/open-record?gameId=${gameId}`);
    await expect(row).toContainText('冲突', { timeout: 5_000 });
  }).toPass();
  const [first, second] = (await row.textContent())?.includes('甲站') ? ['甲站', '乙站'] : ['乙站', '甲站'];
  const numbersOf = (name: string) => sources[name as keyof typeof sources];
  await expect(row).toContainText(numbersOf(first));
  await row.getByRole('button', { name: '展开' }).click();
  const detail = page.getByRole('definition').filter({ hasText: numbersOf(second) });
  await expect(detail).toContainText('2018-01-13 15:22:20');

  await row.getByRole('button', { name: '处理冲突' }).click();
  const form = page.getByRole('dialog', { name: '处理期号 661447 的结果冲突' });
  await form.getByLabel('采用结果').click();
  await page
    .getByTitle(`${numbersOf(second)}（${second}）`)
    .last()
    .click();
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toContainText('预览不能为空');
  await expect(form).toContainText('原因不能为空');
  await form.getByRole('button', { name: '预览' }).click();
  await expect(form.getByRole('status')).toContainText('没有注单因此变动');
  await form.getByLabel('更正原因').fill('  看过  ');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toContainText('原因至少需要 4 个字符');
  await form.getByLabel('更正原因').fill('核对官网公告');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText(numbersOf(second));
  await expect(row).not.toContainText('冲突');

  // What was replaced can be chosen back.
  await row.getByRole('button', { name: '更正结果' }).click();
  const back = page.getByRole('dialog', { name: '更正期号 661447 的结果' });
  await back.getByLabel('采用结果').click();
  await page
    .getByTitle(`${numbersOf(first)}（${first}）`)
    .last()
    .click();
  await back.getByRole('button', { name: '预览' }).click();
  await expect(back.getByRole('status')).toContainText('没有注单因此变动');
  await back.getByLabel('更正原因').fill('官网公告已更正');
  await back.getByRole('button', { name: '提交' }).click();
  await expect(back).toBeHidden();
  await expect(row).toContainText(numbersOf(first));
});
