import { screens } from '#contract/screens.ts';
import { expect, test } from './fixtures.ts';

/** Screens that are no list. */
const others: readonly string[] = [
  '/main/session/my-session',
  '/main/user/money-desk',
  '/main/user/user-page',
  '/main/game/draw-desk',
  '/main/game/game-page',
];

test('at 1280 x 800 no list scrolls sideways, and no amount, state or time in it is cut off', async ({
  operatorPage: page,
}) => {
  test.setTimeout(240_000);
  await page.goto('/main/analysis/bashboard');
  const faults: string[] = [];
  for (const { path, title } of screens.filter((each) => !others.includes(each.path))) {
    // As a click in the side bar does: the console is not loaded anew for each.
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title} `));
    await page.locator('.list-box tbody tr:visible, .list-blank:not([aria-busy]):visible').first().waitFor();
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/${path.replaceAll('/', '_')}.png` });
    const { over, cut, amounts } = await page
      .locator('.list-box:visible')
      .first()
      .evaluate((list) => {
        const whole = '.money, .tag';
        const cells = [...list.querySelectorAll<HTMLElement>('tbody td')].filter(
          (cell) => cell.matches('.list-moment') || cell.querySelector(whole),
        );
        const isCut = (cell: HTMLElement) =>
          cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight + 1;
        return {
          over: list.scrollWidth - list.clientWidth,
          cut: [...new Set(cells.filter(isCut).map((cell) => cell.textContent))].slice(0, 3),
          amounts: cells.length,
        };
      });
    if (over > 0) faults.push(`${title}: ${over}px too wide`);
    if (cut.length > 0) faults.push(`${title}: cut off ${cut.join(' / ')}`);
    if (path.startsWith('/main/user/')) expect(amounts, title).toBeGreaterThan(0);
  }
  expect(faults).toEqual([]);
});
