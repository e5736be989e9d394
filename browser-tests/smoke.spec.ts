import { openRoutes, screens } from '#contract/screens.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { watchReading } from './reading.ts';

test('the login page lets the first operator in', async ({ page }) => {
  await signIn(page, firstOperator);
  await expect(page.getByText('权限管理').first()).toBeVisible();
});

test('an unknown path shows the not-found page', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('找不到页面')).toBeVisible();
});

// One of each kind, the console loaded anew for each: a list, a tree, a page of a row, a desk, a report and a page of one's own.
const kinds: readonly string[] = [
  '/main/pms/role',
  '/main/pms/menu',
  '/main/user/user-page',
  '/main/game/draw-desk',
  '/main/bet/report',
  '/main/session/my-session',
];
const some = [...Object.values(openRoutes), ...screens.filter(({ path }) => kinds.includes(path))];

// All others are opened by their address too, in a console that is there already, where axe looks at them.
test('screens open by their address', async ({ operatorPage: page }) => {
  const allRead = await watchReading(page);
  for (const { path, title } of some)
    await test.step(`${title} (${path})`, async () => {
      await page.goto(path);
      await expect(page).toHaveTitle(new RegExp(title));
      await expect(page.getByText('找不到页面')).toHaveCount(0);
      await allRead();
    });
});
