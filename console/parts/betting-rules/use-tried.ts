import { useEffect, useRef, useState } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { useEndpoint } from '../../kit/call/index.ts';

/** What somebody asked to be tried, and how often they had asked by then. */
export interface Tried<T> {
  readonly what: T;
  readonly times: number;
}

/** What is tried by the press of a button. */
export function useTried<T>(): [tried: Tried<T> | undefined, tryThis: (what: T) => void] {
  const [tried, setTried] = useState<Tried<T>>();
  return [tried, (what) => setTried((before) => ({ what, times: (before?.times ?? 0) + 1 }))];
}

/**
 * What comes of a trial. Tried again, it is read again, though it is the same: results and slips may have come since. Until its answer comes
 * the former one stays, so that nothing below it moves.
 */
export function useTrial<E extends AnyEndpoint>(endpoint: E, asked: WireInput<E>, times: number) {
  const answer = useEndpoint(endpoint, asked);
  const before = useRef(times);
  const { refetch } = answer;
  useEffect(() => {
    if (before.current === times) return;
    before.current = times;
    // Where something else is asked, that is on its way already.
    void refetch({ cancelRefetch: false });
  }, [times, refetch]);
  return answer;
}
