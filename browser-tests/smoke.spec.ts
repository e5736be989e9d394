import { openRoutes, screens } from '#contract/screens.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';

test('the login page lets the first operator in', async ({ page }) => {
  await signIn(page, firstOperator);
  await expect(page.getByText('权限管理').first()).toBeVisible();
});

test('an unknown path shows the not-found page', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('找不到页面')).toBeVisible();
});

for (const { path, title } of [...screens, ...Object.values(openRoutes)]) {
  test(`${title} opens by its address (${path})`, async ({ operatorPage: page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(new RegExp(title));
    await expect(page.getByText('找不到页面')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
  });
}
