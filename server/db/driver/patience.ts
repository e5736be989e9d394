import { setImmediate } from 'node:timers/promises';

/** After so long whoever waits wants to know whether the database still lives. */
const DOUBT_MS = 1_000;

/**
 * Calls `giveUp` once `limitMs` are over, or sooner when the database turns out to answer nobody: a slow statement and a
 * lock may take their time, a dead database may not. Returns what ends the wait.
 */
export function beginWait(
  limitMs: number,
  pulse: (() => Promise<boolean>) | undefined,
  giveUp: () => void,
): () => void {
  const began = performance.now();
  let over = false;
  let timer: NodeJS.Timeout;
  const lookLater = () => {
    const left = limitMs - (performance.now() - began);
    timer = setTimeout(() => void look(), Math.max(0, pulse ? Math.min(left, DOUBT_MS) : left));
  };
  const look = async () => {
    // What came in while this process was busy with something else is read before it counts as missing.
    await setImmediate();
    const isLate = performance.now() - began >= limitMs;
    if (over) return;
    if (isLate || (pulse && !(await pulse()))) {
      if (!over) giveUp();
    } else if (!over) lookLater();
  };
  lookLater();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
