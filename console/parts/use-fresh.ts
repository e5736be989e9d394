import { useEffect, useRef } from 'react';
import type { LiveNoun } from '#contract/happenings.ts';
import { useLive } from '../kit/call/index.ts';

/** However much happens, a desk is read no oftener. */
const LEAST_MS = 1_000;

/** Reads again when something of these nouns happens: at once, and while more happens once a second. `read` is the `refetch` of what is read. */
export function useFresh(nouns: readonly LiveNoun[], read: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const again = useRef(false);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
  const now = () => {
    read();
    timer.current = setTimeout(() => {
      timer.current = null;
      if (!again.current) return;
      again.current = false;
      now();
    }, LEAST_MS);
  };
  useLive(nouns, () => {
    if (timer.current) again.current = true;
    else now();
  });
}
