import { readFileSync } from 'node:fs';
import type { Draw } from './preset-differences.ts';

/*
 * What was drawn, each result once, by the preset whose game it was: two decades of 双色球, and days of the games that draw all day. The
 * file says after a preset's name how many digits a number has; where the day matters it stands before the numbers.
 */
const text = readFileSync(new URL('./sources/drawn-history.txt', import.meta.url), 'utf8');
/** A day for the draws of games to which days mean nothing. */
const ANY_DAY = '2018-09-15';

function drawOf(written: string, digits: number): Draw {
  const [, date = ANY_DAY, numbers = ''] = /^(?:([\d-]+):)?(\d+)$/.exec(written) ?? [];
  const result = (numbers.match(new RegExp(`\\d{${digits}}`, 'g')) ?? []).join();
  return { phase: written, date, result };
}

/** The draws on record by the key of their preset. */
export const drawnHistory: Readonly<Record<string, readonly Draw[]>> = Object.fromEntries(
  text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [head = '', ...lines] = block.split('\n');
      const [key = '', digits = ''] = head.split(' ');
      return [key, lines.flatMap((line) => line.split(' ')).map((each) => drawOf(each, Number(digits)))];
    }),
);
