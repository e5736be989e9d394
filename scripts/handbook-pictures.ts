/**
 * Makes the handbook's pictures from the running product: `npm run handbook:pictures`, or those of some screens alone:
 * `npm run handbook:pictures -- /main/news/news`, which takes seconds and gives the same bytes each time. Starts a server of its own with
 * sample data, waits for the first draw of its game that draws by itself (five minutes at most), opens every screen as its
 * first operator and keeps each as a small WebP.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { isRowPage } from '#contract/nouns.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { chromiumArguments, findChromium } from '../browser-tests/chromium.ts';
import { withoutStream } from '../browser-tests/no-stream.ts';
import startServer, { firstOperator } from '../browser-tests/server.ts';

const folder = new URL('../console/screens/document/pictures/', import.meta.url);
const size = { width: 1280, height: 800 };
const WIDTH = 960;
const QUALITY = 0.72;

const all = ['/login', openRoutes.overview.path, openRoutes.safe.path, ...screens.map(({ path }) => path)];

const asked = process.argv.slice(2);
const unknown = asked.filter((path) => !all.some((each) => each === path));
if (unknown.length > 0) throw new Error(`no such screen: ${unknown.join(', ')}`);
const paths = asked.length > 0 ? asked : all;
const drawn: readonly string[] = [
  '/main/game/open-record',
  '/main/game/open-plan',
  '/main/analysis/bashboard',
];
const needsDraw = paths.some((path) => drawn.includes(path));

const WALL = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
const NOW = Date.UTC(2026, 0, 20, 12, 0, 0);

/** What was made at the start of this run bears the same times in every picture: the moments of an answer in their order. */
function fixedTimes(body: string): string {
  const moments = [...new Set(body.match(WALL))].sort().toReversed();
  const at = new Map(moments.map((moment, place) => [moment, new Date(NOW - place * 60_000)]));
  return body.replace(
    WALL,
    (moment) => at.get(moment)?.toISOString().slice(0, 19).replace('T', ' ') ?? moment,
  );
}

/** Pictures of some screens are made again and again: nothing in them may depend on the clock. */
async function fixClock(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: fixedTimes(await response.text()) });
  });
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(firstOperator.username);
  await page.getByLabel('登录密码').fill(firstOperator.password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/\/main\//);
}

const FIRST_DRAW_MS = 330_000;
const LOOK_EVERY_MS = 5_000;

/** Until then the pictures of draws would be empty. */
async function waitForDraw(page: Page): Promise<void> {
  const deadline = performance.now() + FIRST_DRAW_MS;
  const drawn = page.getByRole('cell', { name: '本地开奖' }).first();
  const isThere = () =>
    drawn.waitFor({ timeout: LOOK_EVERY_MS }).then(
      () => true,
      () => false,
    );
  do {
    if (performance.now() > deadline) throw new Error('nothing was drawn');
    await page.goto('/main/game/open-record');
  } while (!(await isThere()));
}

/** Chromium itself shrinks and encodes: no library is needed for it. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const data = await page.evaluate(
    async ([address, width, quality]) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.round((image.height * width) / image.width);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', quality);
    },
    [source, WIDTH, QUALITY] as const,
  );
  await page.close();
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
}

const stop = await startServer();
const browser = await chromium.launch({ executablePath: findChromium(), args: [...chromiumArguments] });
try {
  const baseURL = process.env.CONSOLE_ORIGIN;
  const page = await browser.newPage({ viewport: size, locale: 'zh-CN', ...(baseURL ? { baseURL } : {}) });
  await signIn(page);
  if (needsDraw) await waitForDraw(page);
  if (asked.length > 0) await fixClock(page);
  else rmSync(folder, { recursive: true, force: true });
  // After the others: what is routed last is asked first.
  await withoutStream(page);
  mkdirSync(folder, { recursive: true });
  for (const path of paths) {
    await page.goto(isRowPage(path) ? `${path}?id=1` : path);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const webp = await asWebp(browser, await page.screenshot({ animations: 'disabled' }));
    writeFileSync(new URL(`${path.split('/').at(-1)}.webp`, folder), webp);
    console.log(`${path} ${webp.length} bytes`);
  }
} finally {
  await browser.close();
  await stop();
}
