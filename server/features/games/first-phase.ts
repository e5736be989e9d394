/**
 * The phase a game starts at when none is given: 1, or the first of the day or year. `now` is `YYYY-MM-DD …` in the
 * platform's zone.
 */
export function firstPhase(rule: 'RUNNING' | 'DAILY' | 'YEARLY', now: string): string {
  if (rule === 'DAILY') return `${now.slice(0, 10).replaceAll('-', '')}001`;
  return rule === 'YEARLY' ? `${now.slice(0, 4)}001` : '1';
}
