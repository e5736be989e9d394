import type { Page } from '@playwright/test';
import { getHappenings, type Happenings } from '#contract/happenings.ts';
import { requestFor } from '#contract/request.ts';

/** Keeps a page from listening to what happens: for tests that wait until it has read everything. */
export async function withoutStream(page: Page): Promise<void> {
  const { url } = requestFor(getHappenings, {});
  const data: Happenings = { cursor: '', complete: true, waiting: null, happenings: [] };
  await page.route(`**${url}*`, (route) =>
    route.fulfill({ json: { success: true, msg: null, data, code: 200 } }),
  );
}
