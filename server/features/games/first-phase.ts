/**
 * The phase a game starts at when none is given: 1, or the first of the day or year with that many digits. `now` begins
 * with `YYYY-MM-DD` in the platform's zone.
 */
export function firstPhase(rule: 'RUNNING' | 'DAILY' | 'YEARLY', now: string, serialDigits = 3): string {
  const serial = '1'.padStart(serialDigits, '0');
  if (rule === 'DAILY') return now.slice(0, 10).replaceAll('-', '') + serial;
  return rule === 'YEARLY' ? now.slice(0, 4) + serial : '1';
}
