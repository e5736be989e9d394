import { expect, test } from './fixtures.ts';

test('a list is put on paper whole, without what is pressed, and as it was afterwards', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/account-history?pageSize=1000');
  const lines = page.locator('tr[data-index]');
  await expect(lines.first()).toBeVisible();
  const drawn = await lines.count();
  const rows = Number(await page.getByRole('table').first().getAttribute('aria-rowcount')) - 1;
  expect(drawn).toBeLessThan(rows);

  const scrolled = page.getByRole('region', { name: '分页查询账变记录' });
  await scrolled.evaluate((list) => list.scrollTo({ top: 5_000 }));
  await expect(lines.first()).not.toHaveAttribute('data-index', '0');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  // More come while others bet and play.
  expect(await lines.count()).toBeGreaterThanOrEqual(rows);
  await expect(page.getByRole('heading', { name: '账变记录' })).toBeVisible();
  for (const pressed of [
    page.getByRole('navigation', { name: '主菜单' }),
    page.getByRole('navigation', { name: '页签' }),
    page.getByRole('button', { name: '搜索', exact: true }),
    page.getByRole('button', { name: '导出' }),
  ])
    await expect(pressed).toBeHidden();
  // Nothing scrolls on paper, and dark grounds are no good there.
  const box = page.getByRole('region', { name: '分页查询账变记录' });
  expect(
    await box.evaluate((list) => ({
      cut: list.scrollHeight > list.clientHeight || document.documentElement.scrollWidth > innerWidth,
      paper: getComputedStyle(list.querySelector('td') ?? list).backgroundColor,
    })),
  ).toEqual({ cut: false, paper: 'rgb(255, 255, 255)' });

  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => lines.count()).toBeLessThan(rows);
  await expect.poll(() => scrolled.evaluate(({ scrollTop }) => scrollTop)).toBe(5_000);
  await expect(lines.first()).not.toHaveAttribute('data-index', '0');
});

test('a row that is open in full is put on paper in place of its list', async ({ operatorPage: page }) => {
  await page.goto('/main/user/account');
  // A number leads nowhere else.
  await page.locator('tr[data-index] td.at-end').first().click();
  const drawer = page.getByRole('complementary', { name: '行详情' });
  await expect(drawer.getByText('用户编号').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: '分页查询账户' })).toBeHidden();
  await expect(drawer).toBeVisible();
  await expect(drawer.getByRole('button', { name: '关闭详情' })).toBeHidden();
});

test('in the system’s few colours it is seen what has the keyboard and what is chosen', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/user');
  await expect(page.locator('tr[data-index]').first()).toBeVisible();
  await page.emulateMedia({ forcedColors: 'active' });
  const field = page.getByLabel('用户名', { exact: true }).first();
  await field.focus();
  await expect(field).toHaveCSS('outline-style', 'solid');
  const grounds = await page
    .getByRole('navigation', { name: '主菜单' })
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => [link.ariaCurrent, getComputedStyle(link).backgroundColor] as const),
    );
  const chosen = grounds.filter(([current]) => current === 'page').map(([, ground]) => ground);
  const others = grounds.filter(([current]) => current !== 'page').map(([, ground]) => ground);
  expect(chosen).toHaveLength(1);
  expect(others).not.toContain(chosen[0]);
});

test('the look follows the system until another is chosen, and again once it is the system’s', async ({
  operatorPage: page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/main/pms/role');
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: '切换为深色' }).click();
  await expect.poll(ground).not.toBe(light);
  await page.getByRole('button', { name: '切换为浅色' }).click();
  await expect.poll(ground).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  await expect(page.getByRole('button', { name: '切换为浅色' })).toBeVisible();
});
