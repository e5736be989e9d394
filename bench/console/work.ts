import type { Browser } from '@playwright/test';
import { tell } from '../figures.ts';
import { median } from '../measure.ts';
import { openedBefore, type Visited, watch } from './visits.ts';

/** Of an event of Chromium's trace, in microseconds; `tdur` is processor time. */
interface Traced {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly startTime?: number } };
}

/** Milliseconds of processor time that the page's main thread took from its navigation to its first rows. */
function workIn(events: readonly Traced[]): number {
  const seen = events.findLast(({ name }) => name === 'seen');
  if (!seen) throw new Error('no rows were seen');
  const from = seen.ts - (seen.args.data?.startTime ?? 0) * 1000;
  const own = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === seen.pid && tid === seen.tid);
  let [end, sum] = [from, 0];
  // What lies inside an event is part of it.
  for (const { ts, dur = 0, tdur = 0 } of own.toSorted((one, other) => one.ts - other.ts)) {
    if (ts < end || ts > seen.ts) continue;
    end = ts + dur;
    sum += tdur;
  }
  return sum / 1000;
}

/** One visit to the first list, by a browser that has its calls but none of its files. */
async function workOf(browser: Browser, visited: Visited): Promise<number> {
  const context = await openedBefore(browser, visited);
  await context.addInitScript(watch, 'tbody td');
  const page = await context.newPage();
  await page.waitForTimeout(1500);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing'] });
  await page.goto(`${visited.origin}/main/pms/role`);
  await page.locator('tbody td').first().waitFor();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
  await context.close();
  return workIn(traceEvents);
}

/** What a first list costs the browser, of each console in turns: on a busy machine the time it takes says little. */
export async function workAll(browser: Browser, consoles: readonly Visited[], rounds: number): Promise<void> {
  const spent = new Map<string, number[]>(consoles.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const one of consoles) spent.get(one.name)?.push(await workOf(browser, one));
  for (const [name, all] of spent)
    tell({
      what: `main thread to the first 20 rows, ${name}`,
      value: median(all),
      unit: 'ms of processor time',
    });
}
