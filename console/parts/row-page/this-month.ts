import { reportToday } from '../../kit/call/index.ts';

/** What the report is searched by at first: its days of this month so far. */
export function thisMonth(): string {
  const today = reportToday();
  return new URLSearchParams([
    ['range', `${today.slice(0, 8)}01`],
    ['range', today],
  ]).toString();
}
