import { useState } from 'react';

/** What somebody asked to be tried, and how often they had asked by then. */
export interface Tried<T> {
  readonly what: T;
  readonly times: number;
}

/**
 * What is tried by the press of a button. Tried again, it is read again, though it is the same: results and slips may have come since. For that, whatever
 * is drawn of it has `times` as its key.
 */
export function useTried<T>(): [tried: Tried<T> | undefined, tryThis: (what: T) => void] {
  const [tried, setTried] = useState<Tried<T>>();
  return [tried, (what) => setTried((before) => ({ what, times: (before?.times ?? 0) + 1 }))];
}
