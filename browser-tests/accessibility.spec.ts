import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { isRowPage } from '#contract/nouns.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { expect, test } from './fixtures.ts';

type Look = 'light' | 'dark';
const looks: readonly Look[] = ['light', 'dark'];

/** What axe finds wrong on what is shown, in a line each. Contrast, the dearest of its rules, is looked for in `painted` alone. */
const violations = (page: Page, rules: readonly string[], painted: string): Promise<string[]> =>
  page.evaluate(
    async ([only, selector]) => {
      // Colours that are half way from one theme to the other are nobody's choice.
      const moves = () =>
        document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      for (let still = 0; still < 3; still = moves() ? 0 : still + 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const { axe: examiner } = window as unknown as { axe: typeof axe };
      examiner.configure({ rules: [{ id: 'color-contrast', selector }] });
      const { violations: found } = await examiner.run(document, {
        resultTypes: ['violations'],
        // Styles are not fetched once more, and there are no frames.
        ...{ preload: false, iframes: false },
        ...(only.length > 0 && { runOnly: [...only] }),
      });
      return found.flatMap(({ id, nodes }) =>
        nodes.map(({ failureSummary = '', target, html }) =>
          [id, target.join(' '), html.slice(0, 160), failureSummary].join(' | '),
        ),
      );
    },
    [rules, painted] as const,
  );

/** Both looks of what is shown. Only colours differ between them. */
async function examine(page: Page, where: string, painted = '*'): Promise<void> {
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look, reducedMotion: 'reduce' });
    const found = await violations(page, look === 'light' ? [] : ['color-contrast'], painted);
    expect.soft(found, `${where}, ${look}`).toEqual([]);
  }
}

/** As a click in the side bar does: the console is not loaded anew for each. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

// The colours around the screens are the same on all of them.
const colours = (path: string) =>
  path === openRoutes.overview.path ? '*' : '[role="tabpanel"], [role="tabpanel"] *';
// A row more shows nothing that the first few do not.
const few = '?pageSize=3';
const all = [...Object.values(openRoutes), ...screens];

for (const part of [0, 1]) {
  const half = all.filter((_, place) => place % 2 === part);
  test(`axe finds nothing wrong on ${half.length} screens, light and dark: half ${part + 1}`, async ({
    operatorPage: page,
  }) => {
    test.setTimeout(half.length * 45_000);
    await page.goto(openRoutes.overview.path);
    await expect(page.getByRole('tabpanel', { name: openRoutes.overview.title })).not.toBeEmpty();
    await page.evaluate(axe.source);
    for (const { path, title } of half) {
      await open(page, path + (isRowPage(path) ? '?id=1' : few));
      await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title} `));
      await expect(page.getByText('找不到页面')).toHaveCount(0);
      await expect(page.getByRole('tabpanel', { name: title })).not.toBeEmpty();
      await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
      await expect(page.getByText('努力加载中')).toBeHidden();
      await examine(page, path, colours(path));
      // What the tabs behind hold would be looked through as well.
      if (path !== openRoutes.overview.path) await page.getByRole('tab', { selected: true }).press('Delete');
    }
  });
}

const press = (page: Page, name: RegExp) =>
  page.getByRole('button').filter({ hasText: name, visible: true }).first().click();

/** What opens over or beside a list. */
const overlays: readonly [what: string, path: string, open: (page: Page) => Promise<void>][] = [
  ['a form', '/main/news/category', (page) => press(page, /^新增$/)],
  ['a form of many kinds of fields', '/main/game/lottery', (page) => press(page, /^新增$/)],
  ['an import', '/main/user/user', (page) => press(page, /^导入$/)],
  ['an export', '/main/user/user', (page) => press(page, /^导出/)],
  ['the columns', '/main/user/deposit-record', (page) => press(page, /^列/)],
  ['the views', '/main/user/deposit-record', (page) => press(page, /^视图/)],
  ['the buttons of a row', '/main/user/withdraw-record', (page) => press(page, /^标记/)],
  [
    'a row in full',
    '/main/user/deposit-record',
    (page) => page.locator('tbody').getByRole('row').first().getByRole('cell').nth(1).click(),
  ],
];

const over = [
  ':is([role="dialog"], [role="complementary"], aside)',
  ':is([role="dialog"], [role="complementary"], aside) *',
].join();

test('axe finds nothing wrong in what opens over or beside a list', async ({ operatorPage: page }) => {
  test.setTimeout(overlays.length * 45_000);
  for (const [what, path, show] of overlays) {
    await page.goto(path + few);
    await page.locator('.list-box tbody tr:visible, .list-blank:not([aria-busy]):visible').first().waitFor();
    await page.evaluate(axe.source);
    await show(page);
    await expect(page.getByRole('dialog').or(page.getByRole('complementary')).last()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
    await examine(page, what, over);
  }
});

test('axe finds nothing wrong on the login page', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible();
  await page.evaluate(axe.source);
  await examine(page, 'the login page');
});
