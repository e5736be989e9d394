import { notices } from './notices.ts';

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1500 });
    else setTimeout(resolve, 200);
  });

/** Resolves once no call locks the screen. */
const unlocked = (): Promise<void> =>
  new Promise((resolve) => {
    if (notices.read().loading === 0) return resolve();
    const unsubscribe = notices.subscribe(() => {
      if (notices.read().loading > 0) return;
      unsubscribe();
      resolve();
    });
  });

/**
 * Waits until the list has been answered and drawn: for what nobody uses before having seen it. The first wait lets the
 * screen ask for its list, the last one lets it draw it.
 */
export async function whenIdle(): Promise<void> {
  await idle();
  await unlocked();
  await idle();
}
