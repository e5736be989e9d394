import { newIdempotencyKey } from './idempotency-key.ts';
import { dropCache, readCache, writeCache } from './local-cache.ts';

/** Longer than any exchange with the server; only a tab that died in between is ever waited for so long. */
const LEASE_MS = 20_000;
/** What one tab writes the others see a little later: a claim stands once it is still there after this. */
const SETTLE_MS = 60;
const KEY = 'refresh-claim';

interface Claim {
  readonly id: string;
  readonly until: number;
}

const readClaim = (): Claim | null => readCache<Claim>(KEY);

/** How long a claim of another tab is to be waited for; one from a clock that was set back counts for nothing. */
function heldFor(claim: Claim | null): number {
  const left = claim ? claim.until - Date.now() : 0;
  return left > LEASE_MS ? 0 : left;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Until another tab writes anything, or the time is over. */
function news(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('storage', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('storage', done);
  });
}

/** Takes the claim; false where the work turned out to be done while waiting for it. */
async function take(id: string, isDone: () => boolean): Promise<boolean> {
  while (!isDone()) {
    const wait = heldFor(readClaim());
    if (wait > 0) {
      await news(wait);
      continue;
    }
    writeCache(KEY, { id, until: Date.now() + LEASE_MS });
    // A browser that stores nothing has no other tabs to mind either.
    if (readClaim()?.id !== id) return true;
    await pause(SETTLE_MS);
    if (readClaim()?.id === id) return !isDone();
  }
  return false;
}

/** Runs `work` under the browser's lock, which is held on until others can see what was written: the lock may pass faster than that. */
function inTurn(work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(KEY, async () => {
      await work().then(resolve, reject);
      await pause(SETTLE_MS);
    });
    held.catch(reject);
  });
}

/**
 * Runs `work` in one tab at a time, unless it is done by the time its turn comes. Browsers offer locks on secure origins
 * only, and a server on a plain intranet address is none: there the tabs agree through what they store. Of tabs that
 * claim at the same moment the last one to write goes first.
 */
export async function aloneAmongTabs(isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) {
    await inTurn(async () => (isDone() ? undefined : work()));
    return;
  }
  const id = newIdempotencyKey();
  const release = () => {
    if (readClaim()?.id === id) dropCache(KEY);
  };
  // A tab that is closed or led elsewhere gives way at once.
  window.addEventListener('pagehide', release);
  try {
    if (await take(id, isDone)) await work();
  } finally {
    window.removeEventListener('pagehide', release);
    release();
  }
}
