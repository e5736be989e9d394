import { openRoutes, screens } from '#contract/screens.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { withoutStream } from './no-stream.ts';

test('the login page lets the first operator in', async ({ page }) => {
  await signIn(page, firstOperator);
  await expect(page.getByText('权限管理').first()).toBeVisible();
});

test('an unknown path shows the not-found page', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('找不到页面')).toBeVisible();
});

const all = [...screens, ...Object.values(openRoutes)];
const half = Math.ceil(all.length / 2);

// One window for many screens, so that each does not fetch the whole console anew; two, so that both workers have one.
for (const [name, some] of [
  ['first', all.slice(0, half)],
  ['second', all.slice(half)],
] as const) {
  test(`every screen opens by its address: the ${name} ${some.length}`, async ({ operatorPage: page }) => {
    test.setTimeout(some.length * 15_000);
    await withoutStream(page);
    for (const { path, title } of some)
      await test.step(`${title} (${path})`, async () => {
        await page.goto(path);
        await expect(page).toHaveTitle(new RegExp(title));
        await expect(page.getByText('找不到页面')).toHaveCount(0);
        await page.waitForLoadState('networkidle');
      });
  });
}
