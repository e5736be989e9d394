import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';

/** What operators have. */
const browsers = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];
/** The same engine without windows: journeys take three quarters of the processor time in it. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
/** Where programs of these names would be. */
const installed = (names: readonly string[]): string[] =>
  names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
const isRoot = process.getuid?.() === 0;

/** Whether it starts at all: a stub that asks for a snap, or a browser without its libraries, does not. */
const works = (program: string): boolean =>
  existsSync(program) && spawnSync(program, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0;

const run = (program: string, ...args: string[]): boolean => {
  console.log(`${program} ${args.join(' ')}`);
  return spawnSync(program, args, { stdio: 'inherit', timeout: 600_000 }).status === 0;
};

/** Playwright's own program, which its package names but does not let be imported. */
export function playwrightCli(): string {
  const manifest = createRequire(createRequire(import.meta.url).resolve('@playwright/test')).resolve(
    'playwright-core/package.json',
  );
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), bin['playwright-core'] ?? '');
}

/** Ways to a Chromium of these names, from the cheapest to the dearest; each yields programs to try. */
function* candidates(names: readonly string[]): Generator<string> {
  yield* installed(names);
  yield chromium.executablePath();
  if (run(process.execPath, playwrightCli(), 'install', '--no-shell', 'chromium'))
    yield chromium.executablePath();
  if (!isRoot) return;
  run('apt-get', 'update', '-qq');
  for (const name of names.filter((one) => /^chromium/.test(one)))
    if (run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', name)) yield* installed([name]);
}

/** Whether Chinese is drawn at all: without such a font its letters are boxes of another size, and lists are laid out otherwise. */
const drawsChinese = (): boolean =>
  (spawnSync('fc-list', [':lang=zh', 'file'], { encoding: 'utf8', timeout: 30_000 }).stdout ?? '').trim() !==
  '';

/** Sees to a font for Chinese, as root from the distribution; says so where there is none and none can be had. */
function findFonts(): void {
  if (drawsChinese()) return;
  if (isRoot) {
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'fonts-noto-cjk', 'fontconfig');
  }
  if (!drawsChinese()) console.warn('没有中文字体，列宽与行高的测试可能失败：请安装 fonts-noto-cjk');
}

function find(names: readonly string[]): string {
  findFonts();
  for (const program of candidates(names)) if (works(program)) return program;
  throw new Error(
    '没有可用的 Chromium，也无法自动安装：请安装 chromium 或 google-chrome 后重新运行 npm test',
  );
}

/** A Chromium on a machine that can draw Chinese: one that is there, else Playwright's download, else (as root) the distribution's package. */
export const findChromium = (): string => find(browsers);

/** The Chromium of journeys: a shell, where there is one or none of either. */
export const findJourneyChromium = (): string => find([...shells, ...browsers]);

/** No sandbox for root, who cannot have one; nothing that talks to the vendor. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * What a journey has no use for. Both popups of the address bar are pages that Chromium begins with every window, a fifth of what a journey cost.
 * Only the last such switch counts, so the rest is what Playwright's own one leaves out and might be met at a server of this machine.
 */
const unusedFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'MediaRouter',
  ],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
];

/** For journeys, which look at no colours: a graphics card that is not there is imitated at some cost. */
export const journeyArguments = [
  ...chromiumArguments,
  '--disable-gpu',
  `--disable-features=${unusedFeatures.join()}`,
];
