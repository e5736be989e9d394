/**
 * Makes the handbook's pictures from the running product: `npm run handbook:pictures`. Starts a server of its own with
 * sample data, waits for the first draw of its game that draws by itself (five minutes at most), opens every screen as its
 * first operator and keeps each as a small WebP.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { openRoutes, screens } from '#contract/screens.ts';
import { chromiumArguments, findChromium } from '../browser-tests/chromium.ts';
import startServer, { firstOperator } from '../browser-tests/server.ts';

const folder = new URL('../console/screens/document/pictures/', import.meta.url);
const size = { width: 1280, height: 800 };
const WIDTH = 960;
const QUALITY = 0.72;

const paths = ['/login', openRoutes.overview.path, openRoutes.safe.path, ...screens.map(({ path }) => path)];

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
  await waitForDraw(page);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of paths) {
    await page.goto(path);
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
