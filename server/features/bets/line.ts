import { choices } from './counting.ts';
import { byLowest, compareOdds } from './lowest.ts';
import type { OddsRow, Play } from './play.ts';
import { BadSelection, type Selection } from './selection.ts';
import { readSelection } from './selection-text.ts';
import { MOST_UNITS, unitsOf } from './units.ts';

/** What a player wrote for a line, read and counted. */
export interface Line {
  readonly selection: Selection;
  readonly units: number;
}

/** Odds as the wire tells them: text where all units of a line share one, else rows. */
export type LineOdds = string | readonly OddsRow[];

/** Odds with nothing but what a line tells of them: a catalogue says more of its rows, such as whether one is stopped. */
export const toldOdds = (odds: LineOdds): string | OddsRow[] =>
  typeof odds === 'string' ? odds : odds.map((row) => ({ number: row.number, odds: row.odds }));

/** Reads a line's text by its play way's rule and counts its units. Throws `BadSelection`, a Chinese sentence. */
export function readLine({ rule, rules }: Play, text: string): Line {
  const selection = readSelection(
    text,
    rule,
    rules.rows.map(({ number }) => number),
  );
  const units = unitsOf(selection, rule);
  if (units === 0) throw new BadSelection('所选号码组不成一注');
  if (units > MOST_UNITS) throw new BadSelection(`共 ${units} 注，一次不能超过 ${MOST_UNITS} 注`);
  return { selection, units };
}

/** All numbers that a selection names, each once. */
export const numbersOf = (selection: Selection): string[] => [
  ...new Set(selection.flatMap(({ bankers, numbers }) => [...bankers, ...numbers])),
];

/**
 * The rows that decide what a line is paid: those of its numbers, or of all outcomes. Throws `BadSelection` where one is missing: what
 * has no odds is not to be bet on.
 */
export function rowsOfLine({ rules: { oddsFrom, rows } }: Play, selection: Selection): readonly OddsRow[] {
  if (oddsFrom === 'OUTCOME') {
    if (rows.length === 0) throw new BadSelection('该玩法还没有赔率');
    return rows;
  }
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbersOf(selection).map((number) => {
    const row = byNumber.get(number);
    if (!row) throw new BadSelection(`号码 ${number} 还没有赔率`);
    return row;
  });
}

/** Of the rows that decide a line those by which at least one unit is paid: of several members a unit goes by the lowest. */
function payingRows({ rule, lowest }: Play, [chosen]: Selection, rows: readonly OddsRow[]) {
  if (!lowest || !chosen || rule?.kind !== 'COMBINATION') return rows;
  const counts = byLowest(chosen, lowest, ({ bankers, numbers }) =>
    choices(numbers.length, rule.choose - bankers.length),
  );
  const paying = new Set(counts.filter(({ units }) => units > 0n).map(({ row }) => row));
  return rows.filter(({ number }) => paying.has(number));
}

/** The odds of a line as it stands. Throws `BadSelection` where there are none. */
export function lineOdds(play: Play, selection: Selection): LineOdds {
  const rows = rowsOfLine(play, selection);
  const [first, ...others] = payingRows(play, selection, rows);
  const isOne = others.every(({ odds }) => compareOdds(odds, first?.odds ?? '') === 0);
  return toldOdds(first && isOne ? first.odds : rows);
}

/** How a line's odds became of those that its player saw. WORSE also where a row came or went: the player saw another bet. */
export type OddsChange = 'SAME' | 'BETTER' | 'WORSE';

/** Compares the odds that a player saw with those of now, row by row. Throws `BadSelection` where there are none now. */
export function oddsChange(play: Play, selection: Selection, seen: LineOdds): OddsChange {
  const rows = rowsOfLine(play, selection);
  const known = new Set(play.rules.rows.map(({ number }) => number));
  if (typeof seen !== 'string' && seen.some(({ number }) => !known.has(number))) return 'WORSE';
  const seenOf = (number: string) =>
    typeof seen === 'string' ? seen : seen.findLast((row) => row.number === number)?.odds;
  const now = typeof seen === 'string' ? payingRows(play, selection, rows) : rows;
  const changes = now.map(({ number, odds }) => {
    const before = seenOf(number);
    return before === undefined ? -1 : compareOdds(odds, before);
  });
  if (changes.some((change) => change < 0)) return 'WORSE';
  return changes.some((change) => change > 0) ? 'BETTER' : 'SAME';
}
