import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { openRoutes, screens } from '#contract/screens.ts';
import { expect, test } from './fixtures.ts';

const paths = [...screens, ...Object.values(openRoutes)].map(({ path }) => path);

// axe measures by styles that the policy of the page keeps out.
test.use({ allowedComplaints: [/Applying inline style/] });

/** What axe finds wrong on what is shown, in a line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`),
  );
}

/** Both looks of what is shown, the light one first. */
async function examine(page: Page, where: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    expect.soft(await violations(page), `${where}, ${theme}`).toEqual([]);
  }
}

test('axe finds nothing wrong on any screen, light and dark', async ({ operatorPage: page }) => {
  test.setTimeout(600_000);
  // Colours that are half way from one theme to the other are nobody's choice.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
    await expect(page.getByText('努力加载中')).toBeHidden();
    await examine(page, path);
  }
  await page.goto('/main/news/news');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
  await examine(page, 'a form');
});
