import { createContext, use, useEffect, useState } from 'react';

/** How many seconds have gone by since the server answered. */
export const ElapsedContext = createContext(0);

/** Seconds since a moment of this computer, told once a second; whatever its clock says, both ends are read from it. */
export function useElapsed(since: number): number {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - since) / 1_000));
}

const two = (n: number): string => String(n).padStart(2, '0');

/** As a clock shows it: 04:09, or 26:00:00 where hours are left. */
export function clockOf(seconds: number): string {
  const rest = `${two(Math.floor((seconds % 3_600) / 60))}:${two(seconds % 60)}`;
  return seconds < 3_600 ? rest : `${two(Math.floor(seconds / 3_600))}:${rest}`;
}

const LAST_SECONDS = 10;

/** What is left until betting is over, then until the draw; by the server's clock, from which the seconds were reckoned. */
export function Countdown({ closesIn, drawsIn }: { readonly closesIn: number; readonly drawsIn: number }) {
  const elapsed = use(ElapsedContext);
  const toClose = closesIn - elapsed;
  const toDraw = drawsIn - elapsed;
  const [word, left] = toClose > 0 ? ['距封盘', toClose] : ['已封盘，距开奖', toDraw];
  if (toDraw <= 0) return <span data-tone="busy">开奖中</span>;
  return (
    <span role="timer" data-tone={toClose > LAST_SECONDS ? 'good' : 'warn'}>
      {word} <strong>{clockOf(left)}</strong>
    </span>
  );
}
