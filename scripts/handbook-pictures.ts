/**
 * Makes the handbook's pictures: `npm run handbook:pictures` from the running product with sample data, once its game that draws by itself
 * has drawn (five minutes at most); or those of some screens alone, `npm run handbook:pictures -- /main/news/news`, which takes seconds and
 * gives the same bytes on every run: the sample data ends at a moment that stands still (`--into=<folder>` puts them elsewhere). Opens
 * every screen as the first operator, in either language, and keeps each as a small WebP.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LANGUAGE_COOKIE, type Language } from '#contract/language.ts';
import { isRowPage } from '#contract/nouns.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { findChromium, journeyArguments } from '../browser-tests/chromium.ts';
import { withoutStream } from '../browser-tests/reading.ts';
import startServer, { firstOperator } from '../browser-tests/server.ts';
import { startFixedServer } from './fixed-server.ts';

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string' } },
});
const folder = values.into
  ? pathToFileURL(`${resolve(values.into)}/`)
  : new URL('../console/screens/document/pictures/', import.meta.url);
const size = { width: 1280, height: 800 };
const WIDTH = 960;
const QUALITY = 0.72;

const all = ['/login', openRoutes.overview.path, openRoutes.safe.path, ...screens.map(({ path }) => path)];

const unknown = asked.filter((path) => !all.some((each) => each === path));
if (unknown.length > 0) throw new Error(`no such screen: ${unknown.join(', ')}`);
const paths = asked.length > 0 ? asked : all;

/** 20:00 in the platform's zone. */
const NOW = new Date('2026-01-20T12:00:00Z');
const NOW_THERE = '2026-01-20 20:00:00';
const WALL = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
/** How long an order has waited, and what is left of what was promised, is told by the database, whose clock goes on. */
const WAITED = /"createTime":"([^"]+)","age":(\d+),"left":(-?\d+)/g;
const lately = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** What the database says of an order that waits, had it been asked at that moment; the promise is of whole minutes. */
function waitedThen(_: string, createTime: string, age: string, left: string): string {
  const waited = (NOW.getTime() - Date.parse(`${createTime.replace(' ', 'T')}+08:00`)) / 1_000;
  const promised = Math.round((Number(age) + Number(left)) / 60) * 60;
  return `"createTime":"${createTime}","age":${waited},"left":${promised - waited}`;
}

/** Pictures of some screens are made again and again: nothing in them may depend on the clock, nor on what was made by this run. */
async function fixClock(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(WALL, (moment) => (moment < lately ? moment : NOW_THERE));
    const body = text.replace(WAITED, waitedThen);
    await route.fulfill({ response, body, headers: { ...response.headers(), date: NOW.toUTCString() } });
  });
}

/** Each picture shows its own tab alone, whatever was open before. */
const forgetTabs = (page: Page) =>
  page.addInitScript(() => {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (/tabs/i.test(key)) storage.removeItem(key);
  });

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

const QUIET_MS = 700;

/** Until nothing has been asked for a while, nothing is loading, and the page looks the same twice; gives how it looks. */
async function settledLook(page: Page): Promise<Buffer> {
  const shot = () => page.screenshot({ animations: 'disabled' });
  const isQuiet = async () => {
    const asking = page.waitForRequest(() => true, { timeout: QUIET_MS });
    return asking.then(
      () => false,
      () => true,
    );
  };
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (let before = await shot(); ; before = await shot()) {
    await page.locator('.loading-on').waitFor({ state: 'hidden' });
    if ((await isQuiet()) && before.equals(await shot())) return before;
  }
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

/**
 * A letter's edge differs by what lay under it while it was drawn, by the part of the page that was drawn again, and by the
 * processor's way of mixing colours: nobody sees it, but the bytes are others.
 */
const paintedAlike = [
  '--disable-lcd-text',
  '--disable-partial-raster',
  '--disable-skia-runtime-opts',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];

/** The product as it runs, or, for some screens alone, one that stands still. */
async function startProduct(): Promise<{ origin: string; stop: () => Promise<void> }> {
  if (asked.length > 0) return startFixedServer(NOW, firstOperator);
  const stop = await startServer();
  return { origin: process.env.CONSOLE_ORIGIN ?? '', stop };
}

const { origin, stop } = await startProduct();
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [...journeyArguments, ...paintedAlike],
});
try {
  const page = await browser.newPage({
    viewport: size,
    locale: 'zh-CN',
    baseURL: origin,
    reducedMotion: 'reduce',
  });
  await signIn(page);
  await forgetTabs(page);
  if (asked.length > 0) await fixClock(page);
  else {
    await waitForDraw(page);
    rmSync(folder, { recursive: true, force: true });
  }
  // After the others: what is routed last is asked first.
  await withoutStream(page);
  for (const language of ['zh', 'en'] satisfies Language[]) {
    const own = new URL(`${language}/`, folder);
    mkdirSync(own, { recursive: true });
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: origin }]);
    for (const path of paths) {
      const began = performance.now();
      await page.goto(isRowPage(path) ? `${path}?id=1` : path);
      const webp = await asWebp(browser, await settledLook(page));
      writeFileSync(new URL(`${path.split('/').at(-1)}.webp`, own), webp);
      console.log(`${language} ${path} ${webp.length} bytes, ${Math.round(performance.now() - began)} ms`);
    }
  }
} finally {
  await browser.close();
  await stop();
}
