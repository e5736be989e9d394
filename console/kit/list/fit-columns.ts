import { valueAt } from '../form/field.ts';
import { moneyText } from '../form/money.ts';
import type { Option } from '../form/options.ts';
import { type Column, PADDING_PX, TEXT_WIDTH, widthOf } from './columns.ts';

type Sized = Pick<Column<never>, 'field' | 'width' | 'least' | 'set' | 'options'>;

const naturalOf = ({ width = TEXT_WIDTH }: Sized): number => width;
const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);
const isMoment = ({ field }: Sized): boolean => field?.kind === 'dateTime';

const DIGIT_PX = 8;
const AROUND_PX = 22;
/** What columns of a crowded list save, which stand closer. */
const CLOSER_PX = 8;

/** Whether so many columns stand closer than usual in so much room. */
export const isCrowded = (columns: readonly Sized[], room: number): boolean =>
  sumOf(columns.map(({ least }) => least)) > room;

/** How many signs the longest of what rows have there. A loop, because it runs through ten thousand before they are drawn. */
function longestOf(rows: readonly { readonly row: object }[], name: string): number {
  let longest = 0;
  for (const { row } of rows) {
    const value = valueAt(row, name);
    if (typeof value === 'string' && value.length > longest) longest = value.length;
  }
  return longest;
}

/** The columns with as much room for money as its longest amount needs: one that is cut off would be read as another. */
export function wideEnough<R extends object>(
  columns: readonly Column<R>[],
  rows: readonly { readonly row: R }[],
): readonly Column<R>[] {
  return columns.map((column) => {
    const { field, width = TEXT_WIDTH, least } = column;
    if (field?.kind !== 'money' || column.set) return column;
    const longest = longestOf(rows, field.name);
    const needed = moneyText('1'.repeat(Math.max(1, longest - 3))).length * DIGIT_PX + AROUND_PX;
    return longest <= SHORT || needed <= least
      ? column
      : { ...column, least: needed, width: Math.max(width, needed) };
  });
}

/** Amounts up to this length fit into any column of money. */
const SHORT = 9;

/** Whether a column holds text of whatever length: more room shows more of it, which it does of nothing else. */
const isText = ({ field, options }: Sized): boolean =>
  options !== undefined || field?.kind === 'text' || field?.kind === 'longText';

/** So many rows are looked at: what is cut further down shows under the mouse. */
const LOOKED_AT = 100;
/** More than this is read in the row's own drawer. */
const MOST_TEXT = 640;

/** How much room each column of text would need to be read in full; nothing for other columns. */
export function neededWidths<R extends object>(
  columns: readonly Column<R>[],
  rows: readonly { readonly row: R }[],
  options: Readonly<Record<string, readonly Option[] | undefined>>,
): number[] {
  return columns.map((column) => {
    const { field, key } = column;
    if (!field || !isText(column)) return 0;
    const names = new Map(options[key]?.map(({ value, label }) => [String(value), label]));
    const widest = rows.slice(0, LOOKED_AT).reduce((most, { row }) => {
      const value = String(valueAt(row, field.name) ?? '');
      return Math.max(most, widthOf(names.get(value) ?? value));
    }, 0);
    return Math.min(MOST_TEXT, widest + PADDING_PX);
  });
}

/**
 * Columns with the room that is left over: it goes to text that is cut, then to all text. One column of text alone must not take all the
 * room of a wide screen: then every column grows a little.
 */
function grown(columns: readonly Sized[], room: number, needed: readonly number[]): number[] {
  const lacks = columns.map((column, place) =>
    isText(column) && !column.set ? Math.max(0, (needed[place] ?? 0) - naturalOf(column)) : 0,
  );
  const left = room - sumOf(columns.map(naturalOf));
  const share = Math.min(1, left / Math.max(1, sumOf(lacks)));
  const filled = columns.map((column, place) => naturalOf(column) + (lacks[place] ?? 0) * share);
  const alone = columns.filter((column) => isText(column) && !column.set).length < 2;
  const grows = columns.map((column) => !column.set && (alone || isText(column)));
  const rest = room - sumOf(filled);
  const whole = sumOf(filled.filter((_, place) => grows[place]));
  return filled.map((width, place) => Math.floor(grows[place] ? width + (rest * width) / whole : width));
}

/**
 * The widths of columns in so much room; undefined for those of text that share what is left. Where the room is short moments go first,
 * which in two lines lose nothing; then all others give in alike, none below its least. What is missing then, the table scrolls.
 */
export function fittedWidths(
  given: readonly Sized[],
  room: number,
  needed: readonly number[] = [],
): (number | undefined)[] {
  const closer = isCrowded(given, room) ? CLOSER_PX : 0;
  const columns = given.map((column) => ({ ...column, least: column.least - (column.set ? 0 : closer) }));
  const natural = columns.map(naturalOf);
  if (sumOf(natural) <= room) return grown(given, room, needed);
  const folded = columns.map((column) => (isMoment(column) ? column.least : naturalOf(column)));
  const missing = sumOf(folded) - room;
  if (missing <= 0)
    return columns.map((column, place) => (column.width === undefined ? undefined : folded[place]));
  const slack = columns.map(({ least }, place) => (folded[place] ?? 0) - least);
  const share = Math.min(1, missing / Math.max(1, sumOf(slack)));
  return folded.map((width, place) => Math.floor(width - (slack[place] ?? 0) * share));
}
