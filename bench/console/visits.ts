import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from '@playwright/test';
import { tell } from '../figures.ts';
import { median } from '../measure.ts';

/** A built console that is visited: this one, or one that it is compared with. */
export interface Visited {
  readonly name: string;
  readonly origin: string;
  /** Where its files are. */
  readonly folder: string;
  /** The session it is visited in, as the login page leaves it in the browser. */
  readonly token: object;
}

/** A window of an operator who is signed in. */
export async function signedIn(browser: Browser, { origin, token }: Visited): Promise<BrowserContext> {
  const localStorage = [{ name: 'token', value: JSON.stringify(token) }];
  return browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
}

interface Visit {
  ms: number;
  /** All scripts of the visit, gzipped; `kbBefore` of them were there before the selector was. */
  kb: number;
  kbBefore: number;
}

/** Notes in the page itself when `selector` is first painted: the driver would see it late on a busy machine. */
export function watch(selector: string): void {
  const seen = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => performance.mark('seen'));
  };
  const observer = new MutationObserver(seen);
  observer.observe(document, { childList: true, subtree: true });
}

/** The weight of a script, gzipped, in KB. */
const weightOf = (folder: string, script: string): number =>
  gzipSync(readFileSync(join(folder, new URL(script).pathname)), { level: 9 }).length / 1000;

/** One visit with an empty cache: time until `selector` is there, and the scripts it took. */
async function visit(
  context: BrowserContext,
  { origin, folder }: Visited,
  path: string,
  selector: string,
): Promise<Visit> {
  await context.addInitScript(watch, selector);
  const page = await context.newPage();
  // A browser makes a window of pages of its own, for longer than the bare page takes.
  await page.waitForTimeout(1500);
  await page.goto(origin + path);
  await page.locator(selector).first().waitFor();
  // What loads when the browser is idle comes after a pause.
  await page.waitForTimeout(2000);
  const { ms, scripts } = await page.evaluate(() => {
    const seen = performance.getEntriesByName('seen')[0]?.startTime ?? Number.NaN;
    const entries = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    return {
      ms: seen,
      scripts: entries.map(({ name, startTime }) => ({ name, before: startTime < seen })),
    };
  });
  await page.close();
  const kbOf = (some: typeof scripts): number =>
    some.reduce((total, { name }) => total + weightOf(folder, name), 0);
  return { ms, kb: kbOf(scripts), kbBefore: kbOf(scripts.filter(({ before }) => before)) };
}

/** A browser in which the first list was opened before, its cache emptied since: what it took is known, its files are not. */
export async function openedBefore(browser: Browser, visited: Visited): Promise<BrowserContext> {
  const context = await signedIn(browser, visited);
  const before = await context.newPage();
  await before.goto(`${visited.origin}/main/pms/role`);
  await before.locator('tbody td').first().waitFor();
  await before.waitForTimeout(2000);
  const cdp = await context.newCDPSession(before);
  await cdp.send('Network.clearBrowserCache');
  await before.close();
  return context;
}

async function visitList(browser: Browser, visited: Visited): Promise<Visit> {
  const context = await openedBefore(browser, visited);
  const seen = await visit(context, visited, '/main/pms/role', 'tbody td');
  await context.close();
  return seen;
}

/** A page that nobody has opened before in this browser. */
async function visitAnew(context: BrowserContext, ...what: [Visited, string, string]): Promise<Visit> {
  const seen = await visit(context, ...what);
  await context.close();
  return seen;
}

const best = (values: readonly number[]): number => Math.min(...values);

/** What is loaded, and how long the first rows take, of each console in turns. */
export async function loadAll(browser: Browser, consoles: readonly Visited[], rounds: number): Promise<void> {
  const bare: number[] = [];
  const times = consoles.map((one) => ({ ...one, list: [] as Visit[], login: [] as Visit[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { list, login, ...visited } of times) {
      bare.push((await visitAnew(await signedIn(browser, visited), visited, '/bare', 'td')).ms);
      list.push(await visitList(browser, visited));
      login.push(await visitAnew(await browser.newContext(), visited, '/login', 'form'));
    }
  const figures = times.map(({ name, list, login }) => {
    const ms = (visits: readonly Visit[]) => visits.map((each) => each.ms);
    const [weights, ofLogin] = [list.at(-1), login.at(-1)];
    return [
      name,
      {
        'login KB (150)': Math.round(ofLogin?.kb ?? 0),
        'first list, KB more (250)': Math.round((weights?.kb ?? 0) - (ofLogin?.kb ?? 0)),
        'KB before its rows': Math.round(weights?.kbBefore ?? 0),
        'rows, ms (best)': `${median(ms(list)).toFixed(0)} (${best(ms(list)).toFixed(0)})`,
        'against innerHTML (2.5)': `${(median(ms(list)) / median(bare)).toFixed(1)} (${(best(ms(list)) / best(bare)).toFixed(1)})`,
        'login, ms': Math.round(median(ms(login))),
      },
    ];
  });
  console.log('\nCold load, ms to the first 20 rows, median (best); empty cache, server beside the browser');
  console.log(
    `  a page that only fetches and shows them: ${median(bare).toFixed(0)} (${best(bare).toFixed(0)})`,
  );
  console.table(Object.fromEntries(figures));
  const now = median(times.at(-1)?.list.map(({ ms }) => ms) ?? []);
  tell({
    what: 'cold load to 20 rows, against innerHTML',
    ...{ value: now / median(bare), unit: 'times', goal: { most: 2.5 } },
    note: `${Math.round(now)} and ${Math.round(median(bare))} ms`,
  });
}
