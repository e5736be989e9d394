import { platformZone, serverNow, wallClock } from '../../kit/call/index.ts';

/** What the report is searched by at first: the platform's days of this month so far. */
export function thisMonth(): string {
  const today = wallClock(serverNow(), platformZone()).slice(0, 10);
  return new URLSearchParams([
    ['range', `${today.slice(0, 8)}01`],
    ['range', today],
  ]).toString();
}
