import type { Page } from '@playwright/test';
import { addUser } from '#contract/users.ts';
import { clientOf, expect, giveSession, test } from './fixtures.ts';
import { newOperator, newRole } from './operators.ts';

test('the overview keeps itself up to date, and its figures lead to their lists', async ({
  operatorPage: page,
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
  // A thousand has a comma.
  const figure = async () => Number((await comers.locator('strong').textContent())?.replaceAll(',', ''));
  const before = await figure();

  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const other = await clientOf();
  await other.call(addUser, { nickName: '概览来客' });
  await expect.poll(figure, { timeout: 120_000 }).toBeGreaterThan(before);
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

  await page.goto('/main/analysis/bashboard');
  await page
    .getByRole('region', { name: '待处理' })
    .getByRole('link', { name: /待处理结算/ })
    .click();
  await expect(page).toHaveURL('/main/bet/settlement?status=HELD');
});

test('the handbook explains screens and leads to them', async ({ operatorPage: page }) => {
  await page.goto('/main/other/document');
  await page.getByRole('navigation', { name: '目录' }).getByRole('link', { name: '账变记录' }).click();
  const chapter = page.getByRole('region', { name: '账变记录' });
  await expect(chapter).toBeInViewport();
  await chapter.getByRole('link', { name: '打开' }).click();
  await expect(page).toHaveURL('/main/user/account-history');
});

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    allowedComplaints: [/net::ERR_FAILED .*analysis\/overview/],
  });

  test('the handbook is read over the whole width, and an overview that fails still greets in one line', async ({
    operatorPage: page,
  }) => {
    await page.goto('/main/other/document');
    const read = page.getByRole('article');
    expect((await read.boundingBox())?.width).toBeGreaterThan(340);
    const contents = page.getByRole('navigation', { name: '目录' });
    await contents.getByRole('link', { name: '账变记录' }).click();
    await expect(read.getByRole('region', { name: '账变记录' })).toBeInViewport();

    await page.route('**/api/analysis/overview', (route) => route.abort());
    await page.goto('/main/analysis/bashboard');
    await expect(page.getByText('数据未能更新')).toBeVisible();
    await expect(page.getByRole('region', { name: '快捷入口' })).toBeVisible();
    expect((await page.getByRole('heading', { name: /^您好/ }).boundingBox())?.height).toBeLessThan(50);
  });
});

test('an operator with two menus finds an overview without a link that leads nowhere', async ({
  page,
  context,
}) => {
  const admin = await clientOf();
  const granted = ['/main/user/deposit-record', '/main/user/withdraw-record'];
  const operator = await newOperator(admin, [await newRole(admin, granted)]);
  await giveSession(context, operator);
  await page.goto('/main/analysis/bashboard');
  const main = page.getByRole('main');
  await expect(main.getByRole('region', { name: '快捷入口' }).getByRole('link')).toHaveCount(2);
  await expect.poll(() => main.getByRole('link').count()).toBeGreaterThan(2);
  const hrefs = await main
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const paths = ['/main/analysis/bashboard', ...granted];
  for (const href of hrefs) expect(paths, href).toContain(href.split('?')[0]);
  // No region is an empty frame.
  for (const region of await main.getByRole('region').all()) await expect(region).toHaveText(/\S{2}/);
  for (const path of granted) {
    await main.locator(`a[href^="${path}?"]`).first().click();
    await expect(page).toHaveURL(new RegExp(path));
    await expect(page.getByRole('table').first()).toBeVisible();
    await page.goBack();
  }
});

/** What is drawn beyond the edge of its card. */
const beyond = (page: Page, cards: string) =>
  page.locator(cards).evaluateAll((all) => {
    const seenTo = (part: Element, card: Element): number => {
      const { right } = part.getBoundingClientRect();
      const above = part.parentElement;
      if (!above || above === card) return right;
      const isCut = getComputedStyle(above).overflowX !== 'visible';
      return isCut ? Math.min(right, above.getBoundingClientRect().right) : right;
    };
    return all.flatMap((card) =>
      [...card.querySelectorAll('*')]
        .filter((part) => seenTo(part, card) > card.getBoundingClientRect().right + 1)
        .map((part) => part.textContent),
    );
  });

test('the longest names and amounts stay within their cards, and say no less for it', async ({
  operatorPage: page,
}) => {
  const name = 'W'.repeat(50);
  const failing = {
    ...{ id: 1, gameId: 1, gameName: name, name },
    consecutiveFailures: 3,
    lastError: '无法解析主机',
  };
  await page.route('**/api/analysis/overview', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.spiders.failing = [failing];
    json.data.deposits.today.amount = '123456789012345.67';
    json.data.days.at(-1).deposits = '123456789012345.67';
    await route.fulfill({ response, json });
  });
  await page.goto('/main/analysis/bashboard');
  await expect(page.getByText('无法解析主机')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('123,456,789,012,345.67')).toBeVisible();
  await expect(page.getByRole('img', { name: /今日 充值 123,456,789,012,345\.67，/ })).toBeVisible();
  expect(await beyond(page, '.overview-tile, .overview-failing')).toEqual([]);
  // On a phone, where nothing tells what is cut, the reason stands there whole all the same.
  const usual = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  const isWhole = () =>
    page.getByText('无法解析主机').evaluate((reason) => reason.scrollWidth <= reason.clientWidth);
  await expect.poll(isWhole).toBe(true);
  expect(await beyond(page, '.overview-tile, .overview-failing')).toEqual([]);
  await page.setViewportSize(usual);

  await page.route('**/api/game/drawDesk/now', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const game of json.data.games) game.gameName = name;
    await route.fulfill({ response, json });
  });
  await page.goto('/main/game/draw-desk');
  await expect(page.getByRole('article', { name }).first()).toBeVisible();
  expect(await beyond(page, '.draws-game')).toEqual([]);
  // One that is read again and again may be on its way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
