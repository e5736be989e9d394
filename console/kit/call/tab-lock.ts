import { newIdempotencyKey } from './idempotency-key.ts';

/** Longer than any exchange with the server; only a tab that died in between is ever waited for so long. */
const LEASE_MS = 20_000;
/** The browser's lock is held on so long, for others to see what was written. */
const SETTLE_MS = 60;
/** How often a tab that waits looks whether its turn has come. */
const LOOK_MS = 50;
/** What one tab stores, another on a busy machine may see so much later. */
const SEEN_MS = 3_000;
const KEY = 'refresh-claim';

/** Who works and until when at most, and when work last ended. */
interface Claim {
  readonly id: string;
  readonly until: number;
  readonly ended: number;
}

const free: Claim = { id: '', until: 0, ended: 0 };

/** How long until a moment, at most `most`; one further away is from a clock that was set back, and counts for nothing. */
function leftUntil(moment: number, most: number): number {
  const left = moment - Date.now();
  return left > most ? 0 : Math.max(0, left);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Until another tab stores anything, or the time is over. */
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

function openClaims(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(KEY, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(KEY);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error(KEY));
  });
}

/** Gives the claim that stands and puts another in its place, if one is wanted: one transaction over all tabs. */
function exchangeClaim(claims: IDBDatabase, to: (standing: Claim) => Claim | undefined): Promise<Claim> {
  return new Promise((resolve, reject) => {
    const transaction = claims.transaction(KEY, 'readwrite');
    const store = transaction.objectStore(KEY);
    const reading: IDBRequest<Claim | undefined> = store.get(KEY);
    let standing = free;
    reading.onsuccess = () => {
      standing = reading.result ?? free;
      const next = to(standing);
      if (next) store.put(next, KEY);
    };
    transaction.oncomplete = () => resolve(standing);
    transaction.onabort = () => reject(transaction.error ?? new Error(KEY));
  });
}

/** Takes the claim; false where the work turned out to be done meanwhile. */
async function take(claims: IDBDatabase, id: string, isDone: () => boolean): Promise<boolean> {
  const taking = ({ until, ended }: Claim) =>
    leftUntil(until, LEASE_MS) > 0 ? undefined : { id, until: Date.now() + LEASE_MS, ended };
  while (!isDone()) {
    const { until, ended } = await exchangeClaim(claims, taking);
    if (leftUntil(until, LEASE_MS) > 0) {
      await news(LOOK_MS);
      continue;
    }
    // Whoever worked just now has stored what it came to, though it may not be seen here yet.
    const seen = ended + SEEN_MS;
    while (!isDone() && leftUntil(seen, SEEN_MS) > 0) await news(leftUntil(seen, SEEN_MS));
    return !isDone();
  }
  return false;
}

/**
 * Runs `work` under the browser's lock, which is held on until others can see what was written: the lock may pass faster than that. False
 * where there is none: on no secure origin, and where the browser keeps nothing for the page.
 */
function inTurn(work: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (!('locks' in navigator)) return resolve(false);
    const held = navigator.locks.request(KEY, async () => {
      await work().then(() => resolve(true), reject);
      await pause(SETTLE_MS);
    });
    held.catch(() => resolve(false));
  });
}

/** Runs `work` under a claim of our own. */
async function underClaim(
  claims: IDBDatabase,
  isDone: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  const id = newIdempotencyKey();
  const release = (ended: number) =>
    exchangeClaim(claims, (standing) => (standing.id === id ? { ...free, ended } : undefined));
  // A tab that is led elsewhere gives way at once, without waiting for what it reads.
  const leave = () => {
    const transaction = claims.transaction(KEY, 'readwrite');
    transaction.objectStore(KEY).put(free, KEY);
    transaction.commit();
  };
  let ended = 0;
  try {
    if (!(await take(claims, id, isDone))) return;
    window.addEventListener('pagehide', leave);
    await work();
    ended = Date.now();
  } finally {
    window.removeEventListener('pagehide', leave);
    await release(ended);
  }
}

/**
 * Runs `work` in one tab at a time, unless it is done by the time its turn comes. Browsers offer locks on secure origins
 * only, and a server on a plain intranet address is none: there the tabs agree through a database of the browser, whose transactions
 * all tabs share.
 */
export async function aloneAmongTabs(isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  if (await inTurn(async () => (isDone() ? undefined : work()))) return;
  const claims = await openClaims().catch(() => null);
  // A browser that stores nothing has no other tabs to mind either.
  if (!claims) return isDone() ? undefined : work();
  try {
    await underClaim(claims, isDone, work);
  } finally {
    claims.close();
  }
}
