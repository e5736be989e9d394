// Paints lists in Chromium with the console's production build and prints figures: see bench/README.md.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { chromiumArguments, findChromium } from '../../browser-tests/chromium.ts';
import { antdStylesPlugin } from '../../console/antd-styles.ts';
import { compressConsole } from '../../scripts/compress-console.ts';
import { moveAll } from './moves.ts';
import { paintAll } from './paint.ts';
import { serveFolder, servePlatform } from './serve.ts';
import { loadAll } from './visits.ts';
import { workAll } from './work.ts';

const rounds = Number(process.env.ROUNDS ?? process.env.BENCH_ROUNDS ?? 5);
const ledger = 5_000_000 * Number(process.env.BENCH_SCALE ?? 1);
/** Another console that is visited in turns with this one: a tree of this repository, or what was built of one. CONSOLE stands in for this one. */
const { AGAINST, CONSOLE } = process.env;
const wants = (part: string): boolean => !process.env.ONLY || process.env.ONLY === part;
const here = fileURLToPath(new URL('.', import.meta.url));
const tree = fileURLToPath(new URL('../..', import.meta.url));

const work = mkdtempSync(join(tmpdir(), 'bench-console-'));
const into = (name: string) => ({ outDir: join(work, name), emptyOutDir: true, chunkSizeWarningLimit: 2000 });
const closers: (() => unknown)[] = [];

/** Where the console of a tree is built, packed as it is served; a folder that was built before is taken as it is. */
async function builtOf(name: string, folder: string): Promise<string> {
  if (existsSync(join(folder, 'index.html'))) return resolve(folder);
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: into(name) });
  await compressConsole(join(work, name));
  return join(work, name);
}

async function paint(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), antdStylesPlugin()],
    root: here,
    build: into('lists'),
  });
  const { origin, close } = await serveFolder(join(work, 'lists'));
  closers.push(close);
  await paintAll(browser, origin, rounds);
}

async function visit(): Promise<void> {
  const trees = { ...(AGAINST ? { before: AGAINST } : {}), now: CONSOLE ?? tree };
  const names = Object.keys(trees);
  const folders: string[] = [];
  for (const [name, folder] of Object.entries(trees)) folders.push(await builtOf(name, folder));
  const { origins, token, close, ...platform } = await servePlatform({
    folders,
    dataDir: process.env.BENCH_DIR ? resolve(process.env.BENCH_DIR) : join(work, 'data'),
    // The first list needs none.
    ledger: wants('moves') ? ledger : 1_000,
  });
  closers.push(close);
  const consoles = names.map((name, place) => ({
    name,
    token,
    origin: origins[place] ?? '',
    folder: folders[place] ?? '',
  }));
  if (wants('load')) await loadAll(browser, consoles, rounds);
  if (wants('work')) await workAll(browser, consoles, rounds);
  if (wants('moves')) await moveAll(browser, consoles, platform.ledger, rounds);
}

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  if (wants('paint')) await paint();
  if (wants('load') || wants('work') || wants('moves')) await visit();
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser.close();
  for (const close of closers) await close();
  rmSync(work, { recursive: true, force: true });
}
