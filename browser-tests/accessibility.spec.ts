import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { openRoutes, screens } from '#contract/screens.ts';
import { expect, test } from './fixtures.ts';

const paths = [...screens, ...Object.values(openRoutes)].map(({ path }) => path);

/** What axe finds wrong on what is shown, in a line each. */
async function violations(page: Page, where: string): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${where}: ${id} ${target.join(' ')} ${html.slice(0, 160)}`),
  );
}

for (const theme of ['浅色', '深色']) {
  test(`axe finds nothing wrong on any screen, ${theme}`, async ({ operatorPage: page }) => {
    test.setTimeout(240_000);
    if (theme === '深色') await page.getByRole('button', { name: '切换为深色' }).click();
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('tabpanel')).toBeVisible();
      await page.waitForLoadState('networkidle');
      found.push(...(await violations(page, path)));
    }
    await page.goto('/main/news/news');
    await page.getByRole('button', { name: '新增', exact: true }).click();
    await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
    found.push(...(await violations(page, 'a form')));
    expect(found).toEqual([]);
  });
}
