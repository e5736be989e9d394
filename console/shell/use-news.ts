import { useEffect, useRef } from 'react';
import { beginNews, useLiveWaiting } from '../kit/call/index.ts';
import { chime } from './chime.ts';
import { sumOf } from './use-waiting.ts';

/** Hears from the server what happens while somebody is inside; gives how much waits for them, and lets them hear when it grows. */
export function useNews(): number {
  const told = useLiveWaiting();
  const sum = sumOf(told);
  const before = useRef<number | undefined>(undefined);
  useEffect(beginNews, []);
  useEffect(() => {
    if (before.current !== undefined && sum > before.current) void chime().catch(() => undefined);
    if (told) before.current = sum;
  }, [sum, told]);
  return sum;
}
