import type { NounName } from '#contract/ref.ts';
import type { ExportColumn } from './columns.ts';

/** What stands in a cell, where a spreadsheet may reckon with all but `text`: an `amount` is money, odds or a share, a `number` counts or names. */
export type CellType = 'text' | 'number' | 'amount' | 'moment';

/** How a format writes a cell. */
export type WriteCell = (type: CellType, text: string) => string;

/** What rows are called, by noun and id. */
export type IdNames = ReadonlyMap<NounName, ReadonlyMap<string, string>>;

const isNumber = (text: string): boolean => /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
/** A spreadsheet keeps 15 digits; what has more stays text, to the last digit. A sign or a point may come on top. */
const fitsSpreadsheet = (text: string): boolean => text.length <= 16 || text.replace(/\D/g, '').length <= 15;

/** A digit, a letter or a Chinese character, with which no formula begins; most texts begin so. */
const isHarmless = (first: number): boolean =>
  (first > 0x2f && first < 0x3a) || (first > 0x40 && first < 0x80) || (first > 0x3000 && first < 0xa000);

const isGuarded = (text: string): boolean =>
  !isHarmless(text.charCodeAt(0)) && /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text);

/**
 * Text as a spreadsheet may safely open it. What begins with `=`, `+`, `-`, `@`, a tab or a line break (also behind spaces, also
 * in full width) could be taken for a formula and is put behind an apostrophe. So is what has such an apostrophe of its own, so that
 * `restored` gives back every text.
 */
export const neutralised = (text: string): string => (isGuarded(text) ? `'${text}` : text);

/** The text that stands in a cell which was made safe. */
export const restored = (cell: string): string =>
  cell.startsWith("'") && isGuarded(cell.slice(1)) ? cell.slice(1) : cell;

/** Finds the value that lies at a path in a row: itself, where there is no way to go. */
export function valueAt(path: readonly string[]): (row: unknown) => unknown {
  if (path.length === 0) return (value) => value;
  const step = (name: string) => (value: unknown) =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const [first = '', ...rest] = path;
  return rest.reduce((before, name) => {
    const next = step(name);
    return (row) => next(before(row));
  }, step(first));
}

type Text = (value: unknown) => string;

/** How a value of a column is said. */
function textOf({ kind, names, words, parts, say, between }: ExportColumn, idNames: IdNames): Text {
  const known = names && idNames.get(names);
  // As COPY writes flags.
  const said: Readonly<Partial<Record<string, string>>> | undefined =
    kind === 'flag' && words ? { ...words, t: words.true, f: words.false } : words;
  const line = parts.map((column) => {
    const [at, text] = [valueAt(column.path), textOf(column, idNames)];
    return (part: unknown) => {
      const said = text(at(part));
      return said === '' ? [] : [column.before + said];
    };
  });
  const inLine = (part: unknown): string => line.flatMap((each) => each(part)).join(' ');
  return (value) => {
    if (value === null || value === undefined) return '';
    if (kind === 'list' && Array.isArray(value)) {
      const said = value.map(inLine).join(between);
      return say ? say(said) : said;
    }
    const code = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const text = (names ? known?.get(code) : said?.[code]) ?? code;
    return say ? say(text) : text;
  };
}

const reckoned: Partial<Record<ExportColumn['kind'], 'number' | 'amount'>> = {
  ...{ id: 'number', integer: 'number', decimal: 'amount', money: 'amount' },
};

/** Of a column that has few values each is written once. */
function remembered(cell: Text): Text {
  const known = new Map<unknown, string>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = cell(value);
    known.set(value, now);
    return now;
  };
}

/** What the values of a column are, and whether it has few, which are said by words. */
export function cellsOf({ kind, names, words }: ExportColumn): { type: CellType; few: boolean } {
  const number = names ? undefined : reckoned[kind];
  if (number) return { type: number, few: false };
  if (kind === 'dateTime') return { type: 'moment', few: false };
  return { type: 'text', few: words !== undefined && kind !== 'list' };
}

/** Writes a column's cell for a value of it, as it travels or as text; worked out once for all rows. */
export function cellOf(column: ExportColumn, idNames: IdNames, write: WriteCell): Text {
  const text = textOf(column, idNames);
  const { type, few } = cellsOf(column);
  if (type === 'number' || type === 'amount')
    return (value) => {
      const number = text(value);
      if (!isNumber(number)) return write('text', neutralised(number));
      return write(fitsSpreadsheet(number) ? type : 'text', number);
    };
  if (type === 'moment')
    return (value) => {
      const moment = text(value);
      return write(moment === '' ? 'text' : 'moment', moment);
    };
  const cell: Text = (value) => write('text', neutralised(text(value)));
  return few ? remembered(cell) : cell;
}
