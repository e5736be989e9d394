/**
 * What the console keeps in the browser between visits: JSON values under caller-given keys. A browser that refuses storage (site data
 * blocked, full disk) costs comfort, never function: what it does not keep lasts as long as the page.
 */
const unkept = new Map<string, string>();

// What another window could keep since is newer than what this one could not.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => key !== null && unkept.delete(key));

/** Whether the browser has taken what was written last: what it has not goes with the page. */
export const isKept = (key: string): boolean => !unkept.has(key);

export function readCache<T>(key: string): T | null {
  try {
    const text = unkept.get(key) ?? localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** The keys that begin so. */
export function cacheKeys(prefix: string): string[] {
  const keys = new Set(unkept.keys());
  try {
    for (let at = 0; at < localStorage.length; at++) keys.add(localStorage.key(at) ?? '');
  } catch {
    // What cannot be read is not there.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

/** Whether the browser keeps it beyond the page. */
export function writeCache(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    unkept.delete(key);
    return true;
  } catch {
    unkept.set(key, text);
    return false;
  }
}

export function dropCache(...keys: readonly string[]): void {
  for (const key of keys) unkept.delete(key);
  try {
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Nothing was stored then.
  }
}

/** The same for what each window keeps for itself. */
export function readWindowCache<T>(key: string): T | null {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function writeWindowCache(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // See above.
  }
}
