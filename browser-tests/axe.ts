import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './fixtures.ts';

type Look = 'light' | 'dark';
const looks: readonly Look[] = ['light', 'dark'];

interface Part {
  /** What is looked at; the whole page unless told otherwise. */
  readonly within?: string;
  /** Where contrast, the dearest of axe's rules, is looked for; everywhere in it unless told otherwise. */
  readonly painted?: string;
}

/** What axe finds wrong on what is shown, in a line each. */
const violations = (
  page: Page,
  rules: readonly string[],
  { within = 'html', painted = '*' }: Part,
): Promise<string[]> =>
  page.evaluate(
    async ([only, include, selector]) => {
      // Colours that are half way from one theme to the other are nobody's choice.
      const moves = () =>
        document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      for (let still = 0; still < 3; still = moves() ? 0 : still + 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const { axe: examiner } = window as unknown as { axe: typeof axe };
      examiner.configure({ rules: [{ id: 'color-contrast', selector }] });
      const { violations: found } = await examiner.run(include === 'html' ? document : include, {
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
    [rules, within, painted] as const,
  );

/** Waits until all is there that is looked at, and brings axe in. */
async function prepare(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
  await expect(page.getByText('努力加载中')).toBeHidden();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
}

/** Shows a page in both looks, one after the other. */
async function inEachLook(page: Page, see: (look: Look) => Promise<void>): Promise<void> {
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look, reducedMotion: 'reduce' });
    // On a busy machine the page hears of it a while after the driver has said so: then it would be looked at half in one and half in the other.
    await page.waitForFunction((name) => matchMedia(`(prefers-color-scheme: ${name})`).matches, look);
    await see(look);
  }
}

/** What is said while a screen is locked, over whatever lies behind. */
export async function examineLoading(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await inEachLook(page, async (look) => {
    expect(await violations(page, ['color-contrast'], { within: '.loading' }), look).toEqual([]);
  });
}

/** All but colours, for what differs in its words alone. */
export async function examineWords(page: Page, where: string): Promise<void> {
  await prepare(page);
  expect.soft(await violations(page, [], { painted: ':not(*)' }), where).toEqual([]);
}

/** Both looks of what is shown. Only colours differ between them. */
export async function examine(page: Page, where: string, part: Part = {}): Promise<void> {
  await prepare(page);
  await inEachLook(page, async (look) => {
    const found = await violations(page, look === 'light' ? [] : ['color-contrast'], part);
    expect.soft(found, `${where}, ${look}`).toEqual([]);
  });
}

/** What lies over a screen or stands beside it. */
export const dialogs = ':is([role="dialog"], dialog, [role="complementary"], aside)';
