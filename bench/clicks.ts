import { execFileSync } from 'node:child_process';
import { chromium, type Page } from '@playwright/test';
import { chromiumArguments, findChromium } from '../browser-tests/chromium.ts';
import { ADMIN_PASSWORD } from './bench-config.ts';
import { tell } from './figures.ts';
import { median } from './measure.ts';

/** Marks, in the page itself, the click on a button and the first frame that shows other rows. */
export function watchClicks(): void {
  const firstRow = () => document.querySelector('tbody tr[data-index="0"]')?.textContent;
  let shown = firstRow();
  let clickedAt = Number.NaN;
  addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (!button || !['搜索', '重置'].includes(button.textContent?.replace(/\s/g, '') ?? '')) return;
      shown = firstRow();
      clickedAt = event.timeStamp;
    },
    true,
  );
  new MutationObserver(() => {
    const now = firstRow();
    if (now === undefined || now === shown || Number.isNaN(clickedAt)) return;
    shown = now;
    const from = clickedAt;
    clickedAt = Number.NaN;
    // The task after the frame's own callbacks: by then it has been painted.
    requestAnimationFrame(() =>
      setTimeout(() => performance.measure('click to rows', { start: from, end: performance.now() })),
    );
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The milliseconds of the click just made. */
async function measured(page: Page, click: () => Promise<void>): Promise<number> {
  await page.evaluate(() => performance.clearMeasures());
  await click();
  const entry = await page.waitForFunction(() => performance.getEntriesByName('click to rows')[0]?.duration);
  return Number(await entry.jsonValue());
}

/** Milliseconds from a click to painted rows on the ledger's screen, medians; two idle frames take about 33. */
async function clickTimes(origin: string, rounds: number) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(watchClicks);
  await page.goto(`${origin}/login`);
  await page.getByLabel('登录账号').fill('admin');
  await page.getByLabel('登录密码').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/\/main\//);
  await page.goto(`${origin}/main/user/account-history`);
  await page.getByRole('row').nth(20).waitFor();
  const times = { user: [] as number[], everything: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    await page.getByLabel('用户编号').fill(String(1 + round));
    const user = await measured(page, () => page.getByRole('button', { name: '搜索' }).click());
    const everything = await measured(page, () => page.getByRole('button', { name: '重置' }).click());
    // The first round warms up.
    if (round === 0) continue;
    times.user.push(user);
    times.everything.push(everything);
  }
  await browser.close();
  return { user: median(times.user), everything: median(times.everything) };
}

/** The whole way, in a browser: from a click on 搜索 or 重置 to painted rows. */
export async function timeClicks(origin: string, rounds: number): Promise<void> {
  execFileSync(process.execPath, ['scripts/build-console.ts'], { stdio: 'inherit' });
  const { user, everything } = await clickTimes(origin, rounds);
  console.log(
    `click to painted rows: ${user.toFixed(1)} ms for one user, ${everything.toFixed(1)} ms for everything (goal 100)`,
  );
  tell({
    what: 'a click on search to painted rows, everything',
    value: everything,
    unit: 'ms',
    goal: { most: 70 },
  });
}
