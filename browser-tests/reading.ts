import { expect, type Page, type Request } from '@playwright/test';
import { getHappenings, type Happenings } from '#contract/happenings.ts';
import { requestFor } from '#contract/request.ts';

/** So long nothing must be asked for until a page counts as having read everything. */
const QUIET_MS = 500;

/** Keeps a page from listening to what happens, which never ends: then it can be told when it has read everything. */
export async function withoutStream(page: Page): Promise<void> {
  const { url } = requestFor(getHappenings, {});
  const data: Happenings = { cursor: '', complete: true, waiting: null, happenings: [] };
  await page.route(`**${url}*`, (route) =>
    route.fulfill({ json: { success: true, msg: null, data, code: 200 } }),
  );
}

/**
 * For tests that look at many screens: what is returned waits until the page has read all that it asks for, and names what it still waits for
 * where that has no end. The browser's own count of connections may stay at one for ever, and says of none which it is.
 */
export async function watchReading(page: Page): Promise<() => Promise<void>> {
  await withoutStream(page);
  const open = new Set<Request>();
  let last = performance.now();
  const over = (request: Request): void => {
    open.delete(request);
    last = performance.now();
  };
  page.on('request', (request) => {
    // Of the page before, nobody waits for anything.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (['document', 'script', 'fetch', 'xhr'].includes(request.resourceType())) open.add(request);
    last = performance.now();
  });
  page.on('requestfinished', over);
  page.on('requestfailed', over);
  return () =>
    expect(() => {
      expect([...open].map((request) => request.url())).toEqual([]);
      expect(performance.now() - last).toBeGreaterThan(QUIET_MS);
    }).toPass({ intervals: [100], timeout: 60_000 });
}
