import type { Browser, Page } from '@playwright/test';
import { watchClicks } from '../clicks.ts';
import { tell } from '../figures.ts';
import { median } from '../measure.ts';
import { signedIn, type Visited } from './visits.ts';

declare global {
  interface Window {
    /** What the next search asks for in place of a player: a page of so many rows, which the console does not offer. */
    page?: { at: number; size: number } | undefined;
  }
}

/** Has a search by a player's number ask for `page` of everything. */
function enlargePages(): void {
  const { fetch } = window;
  window.fetch = (to, options) => {
    const form = new URLSearchParams(typeof options?.body === 'string' ? options.body : '');
    if (!window.page || !form.has('userId') || !form.has('pageSize')) return fetch(to, options);
    form.delete('userId');
    form.set('currentPage', String(window.page.at));
    form.set('pageSize', String(window.page.size));
    return fetch(to, { ...options, body: form.toString() });
  };
}

/** A search by a click: when its call left, and when its rows were painted, after the click and after the answer. */
interface Click {
  leaves: number;
  painted: number;
  afterAnswer: number;
}

/** The next click's figures, once its rows and its answer are there. Asking for them at every frame, as a driver does, would make frames. */
function nextClick(): Promise<Click> {
  return new Promise((resolve) => {
    const look = () => {
      const [shown] = performance.getEntriesByName('click to rows');
      const asked = performance
        .getEntriesByType('resource')
        .find(({ name }) => name.endsWith('History/page'));
      if (!shown || !(asked instanceof PerformanceResourceTiming) || asked.responseEnd === 0) return;
      watching.disconnect();
      const end = shown.startTime + shown.duration;
      resolve({
        leaves: asked.startTime - shown.startTime,
        painted: shown.duration,
        afterAnswer: end - asked.responseEnd,
      });
    };
    const watching = new PerformanceObserver(look);
    watching.observe({ entryTypes: ['measure', 'resource'] });
  });
}

/** Searches for a player nobody has searched for before: what was read once is shown before any answer. */
async function search(page: Page, userId: number): Promise<Click> {
  await page.getByLabel('用户编号').fill(String(userId));
  await page.evaluate(() => {
    performance.clearMeasures();
    performance.clearResourceTimings();
  });
  const click = page.evaluate(nextClick);
  await page.getByRole('button', { name: '搜索' }).click();
  const seen = await click;
  // What goes on after the rows, such as their totals, belongs to no other click.
  await page.waitForTimeout(200);
  return seen;
}

/** Frames while somebody scrolls, how many of them had no row where rows belong, and the longest one. */
interface Scrolled {
  frames: number;
  blank: number;
  longest: number;
}

/** Scrolls 2000 px every 33 ms for four seconds. */
function scrollFast(): Promise<Scrolled> {
  const box = document.querySelector<HTMLElement>('.list-box');
  if (!box) throw new Error('no list');
  let way = 1;
  const scroll = () => {
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) way = -1;
    else if (box.scrollTop === 0) way = 1;
    box.scrollTop += 2000 * way;
  };
  const isBlank = () => {
    // A head's cells stay in sight, itself does not.
    const [top, bottom] = [box.querySelector('th'), box].map(
      (part) => part?.getBoundingClientRect().bottom ?? 0,
    ) as [number, number];
    const rows = box.querySelectorAll('tbody > tr:not(.list-spacer)');
    const first = rows[0]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    const last = rows[rows.length - 1]?.getBoundingClientRect().bottom ?? 0;
    const end = box.querySelector('table')?.getBoundingClientRect().bottom ?? 0;
    return first > top + 1 || last < Math.min(bottom, end) - 20;
  };
  return new Promise((resolve) => {
    const seen = { frames: 0, blank: 0, longest: 0 };
    const timer = setInterval(scroll, 33);
    let before = performance.now();
    const until = before + 4_000;
    const look = () => {
      const now = performance.now();
      seen.frames += 1;
      seen.longest = Math.max(seen.longest, now - before);
      before = now;
      if (isBlank()) seen.blank += 1;
      if (now < until) return requestAnimationFrame(look);
      clearInterval(timer);
      // The next search is seen by its first row.
      box.scrollTop = 0;
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(seen)));
    };
    requestAnimationFrame(look);
  });
}

interface Moves {
  few: Click[];
  many: Click[];
  scrolled: Record<number, Scrolled[]>;
}

const nothing = (): Moves => ({ few: [], many: [], scrolled: { 1000: [], 9999: [] } });

/** One round: some rows of a player, four times, and large pages, which are scrolled then. */
async function round(page: Page, at: number, ledger: number, moves: Moves): Promise<void> {
  for (let time = 0; time < 4; time += 1) moves.few.push(await search(page, 1 + at * 4 + time));
  for (const size of [1000, 9999]) {
    // From the second page on: the first few rows are known already.
    const others = Math.max(1, Math.floor(ledger / size) - 1);
    const wanted = { at: 2 + (at % others), size };
    await page.evaluate((large) => {
      window.page = large;
    }, wanted);
    const click = await search(page, 1_000_000 + at * 10_000 + size);
    if (size === 9999) moves.many.push(click);
    moves.scrolled[size]?.push(await page.evaluate(scrollFast));
    await page.evaluate(() => {
      window.page = undefined;
    });
  }
}

interface Blank {
  readonly blank: number;
  readonly frames: number;
  readonly longest: number;
}

function blankOf(seen: readonly Scrolled[]): Blank {
  const sum = (part: 'blank' | 'frames') => seen.reduce((all, one) => all + one[part], 0);
  return { blank: sum('blank'), frames: sum('frames'), longest: median(seen.map((one) => one.longest)) };
}

const of = (clicks: readonly Click[], part: keyof Click): number => median(clicks.map((c) => c[part]));
const blankText = ({ blank, frames, longest }: Blank): string =>
  `${blank} of ${frames} frames, the longest ${Math.round(longest)} ms`;

const lineOf = ({ few, many, scrolled }: Moves) => ({
  '搜索 to painted (70)': Math.round(of(few, 'painted')),
  'call leaves after': Math.round(of(few, 'leaves')),
  'after the answer': Math.round(of(few, 'afterAnswer')),
  '9999 rows to painted (250)': Math.round(of(many, 'painted')),
  'after their answer (70)': Math.round(of(many, 'afterAnswer')),
  'blank of 1000': blankText(blankOf(scrolled[1000] ?? [])),
  'blank of 9999': blankText(blankOf(scrolled[9999] ?? [])),
});

function tellMoves({ few, many, scrolled }: Moves): void {
  const unit = 'ms';
  const leaves = `the call leaves after ${Math.round(of(few, 'leaves'))}`;
  tell({
    what: 'a click on search to painted rows',
    ...{ value: of(few, 'painted'), unit, goal: { most: 70 }, note: leaves },
  });
  tell({
    what: 'a page of 9999 rows, click to painted',
    value: of(many, 'painted'),
    unit,
    goal: { most: 250 },
  });
  tell({ what: 'its answer to painted', value: of(many, 'afterAnswer'), unit, goal: { most: 70 } });
  for (const [rows, seen] of Object.entries(scrolled)) {
    const blank = blankOf(seen);
    tell({
      what: `blank frames of ${rows} rows scrolled fast`,
      ...{ value: blank.blank, unit: 'frames', goal: { most: 0 }, note: blankText(blank) },
    });
  }
}

/** What clicks and scrolling take on the ledger's screen, of each console in turns; two idle frames take about 33 ms. */
export async function moveAll(
  browser: Browser,
  consoles: readonly Visited[],
  ledger: number,
  rounds: number,
): Promise<void> {
  const open = await Promise.all(
    consoles.map(async (one) => {
      const context = await signedIn(browser, one);
      await context.addInitScript(watchClicks);
      await context.addInitScript(enlargePages);
      const page = await context.newPage();
      await page.goto(`${one.origin}/main/user/account-history`);
      await page.locator('tbody td').first().waitFor();
      return { name: one.name, page, moves: nothing() };
    }),
  );
  for (let at = 0; at <= rounds; at += 1)
    for (const one of open) {
      await one.page.bringToFront();
      await round(one.page, at, ledger, one.moves);
      // The first round warms up.
      if (at === 0) one.moves = nothing();
    }
  console.log(`\nSearching and scrolling, ${ledger} rows, ms, medians; two idle frames are about 33`);
  console.table(Object.fromEntries(open.map(({ name, moves }) => [name, lineOf(moves)])));
  const now = open.at(-1);
  if (now) tellMoves(now.moves);
  for (const { page } of open) await page.context().close();
}
