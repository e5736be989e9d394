import { Refusal } from '#server/refusal.ts';

/** Shorter pages are a moment's work each. */
const LONG_ROWS = 200;
/** Of each caller, the one under way included: as many as three exports read ahead, and some more. */
const MOST_LONG = 8;
const RETRY_SECONDS = 5;

const lines = new Map<number, Promise<unknown>[]>();

/**
 * Works out a page of a caller's; of long ones, which take seconds and megabytes each, one after another. Whoever asks for more of them
 * than anybody reads is sent away before anything is read. Throws `tooManyRequests`.
 */
export async function inLine<T>(caller: number, rows: number, work: () => Promise<T>): Promise<T> {
  if (rows <= LONG_ROWS) return work();
  const line = lines.get(caller) ?? [];
  if (line.length >= MOST_LONG) throw new Refusal('tooManyRequests', { retryAfter: RETRY_SECONDS });
  const done = Promise.resolve(line.at(-1)).then(work, work);
  lines.set(caller, [...line, done]);
  try {
    return await done;
  } finally {
    const left = (lines.get(caller) ?? []).filter((each) => each !== done);
    if (left.length > 0) lines.set(caller, left);
    else lines.delete(caller);
  }
}
