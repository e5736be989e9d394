import { plainNumber } from '#contract/number-text.ts';

/** A line of the table of odds: a number, what it has, and what is entered. */
export interface OddsLine {
  readonly numberId: number;
  readonly number: string;
  readonly seen: string | undefined;
  readonly odds: string;
}

const PLACES = 4;

export const isOdds = (text: string): boolean => /^\d{1,12}(\.\d{1,4})?$/.test(text) && /[1-9]/.test(text);

/** A line of what is pasted, as its cells: none where it is empty. Spreadsheets part them by tabs, and may set thousands apart in one. */
const cellsOf = (line: string): string[] =>
  line
    .split(line.includes('\t') ? '\t' : /[,，\s]+/)
    .map((cell) => plainNumber(cell.trim()))
    .filter(Boolean);
/** A number or odds with an empty cell behind it. Which of the two it is, nobody can tell. */
const isCutOff = (line: string): boolean => /\S[ ]*\t\s*$/.test(line);

/** What a pasted text puts in: odds by number, or what is wrong with one of its lines. */
export type Pasted = { readonly odds: ReadonlyMap<number, string> } | { readonly problem: string };

/**
 * Lines of a number and its odds; or odds alone, which go down the table from the line they were pasted into. An empty line stands for a
 * number that keeps what it has.
 */
export function pastedInto(lines: readonly OddsLine[], text: string, from = 0): Pasted {
  const byNumber = new Map(lines.map(({ number, numberId }) => [number, numberId]));
  const odds = new Map<number, string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const cells = cellsOf(line);
    const [first = ''] = cells;
    const value = cells.at(-1);
    if (value === undefined) continue;
    const wrong = (problem: string) => ({ problem: `第 ${at + 1} 行：${problem}` });
    const isAlone = cells.length === 1;
    if (isAlone && isCutOff(line)) return wrong(`“${value}”后面的格子是空的`);
    const id = isAlone ? lines[from + at]?.numberId : byNumber.get(first);
    if (id === undefined) return wrong(isAlone ? '多于表中的号码' : `没有号码 ${first}`);
    if (!isOdds(value)) return wrong(`“${value}”不是赔率`);
    if (odds.has(id))
      return wrong(`号码 ${lines.find(({ numberId }) => numberId === id)?.number} 出现了两次`);
    odds.set(id, value);
  }
  return { odds };
}

const unitsOf = (text: string): bigint => {
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole + places.padEnd(PLACES, '0'));
};

/** Odds times a factor, exact and then rounded to four places; at least the least there is. */
export function times(odds: string, factor: string): string {
  const scale = 10n ** BigInt(PLACES);
  const units = (unitsOf(odds) * unitsOf(factor) + scale / 2n) / scale || 1n;
  const places = String(units % scale)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return places ? `${units / scale}.${places}` : String(units / scale);
}
