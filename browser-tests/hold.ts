import type { Page } from '@playwright/test';

/** What a page asks for, kept from being answered. */
interface Held {
  /** How many times it was asked for so far. */
  readonly asked: () => number;
  readonly letGo: () => void;
}

/** Keeps what a page asks for under a pattern of addresses from being answered until it is let go. */
export async function hold(page: Page, pattern: string): Promise<Held> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(pattern, async (route) => {
    asked += 1;
    await held;
    await route.continue();
  });
  return { asked: () => asked, letGo };
}
