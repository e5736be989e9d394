/** A line of the table of odds: a number, what it has, and what is entered. */
export interface OddsLine {
  readonly numberId: number;
  readonly number: string;
  readonly seen: string | undefined;
  readonly odds: string;
}

const PLACES = 4;

export const isOdds = (text: string): boolean => /^\d{1,12}(\.\d{1,4})?$/.test(text) && /[1-9]/.test(text);

/** What is pasted from a spreadsheet: lines of cells. */
const cellsOf = (text: string): string[][] =>
  text
    .split(/\r?\n/)
    .map((line) =>
      line
        .trim()
        .split(/[\t,，\s]+/)
        .filter(Boolean),
    )
    .filter((cells) => cells.length > 0);

/** What a pasted text puts in: odds by number, or what is wrong with one of its lines. */
export type Pasted = { readonly odds: ReadonlyMap<number, string> } | { readonly problem: string };

/** Lines of a number and its odds; or odds alone, which go down the table from the line they were pasted into. */
export function pastedInto(lines: readonly OddsLine[], text: string, from = 0): Pasted {
  const byNumber = new Map(lines.map(({ number, numberId }) => [number, numberId]));
  const odds = new Map<number, string>();
  for (const [at, cells] of cellsOf(text).entries()) {
    const value = cells.at(-1) ?? '';
    const name = cells.length > 1 ? cells[0] : undefined;
    const id = name === undefined ? lines[from + at]?.numberId : byNumber.get(name);
    if (id === undefined)
      return { problem: `第 ${at + 1} 行：${name ? `没有号码 ${name}` : '多于表中的号码'}` };
    if (!isOdds(value)) return { problem: `第 ${at + 1} 行：“${value}”不是赔率` };
    if (odds.has(id)) return { problem: `第 ${at + 1} 行：号码 ${name} 出现了两次` };
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
