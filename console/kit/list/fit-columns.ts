import { valueAt } from '../form/field.ts';
import { moneyText } from '../form/money.ts';
import { type Column, TEXT_WIDTH } from './columns.ts';

type Sized = Pick<Column<never>, 'field' | 'width' | 'least' | 'set'>;

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

/**
 * The widths of columns in so much room; undefined for those of text that share what is left. Where the room is short moments go first,
 * which in two lines lose nothing; then all others give in alike, none below its least. What is missing then, the table scrolls.
 */
export function fittedWidths(given: readonly Sized[], room: number): (number | undefined)[] {
  const closer = isCrowded(given, room) ? CLOSER_PX : 0;
  const columns = given.map((column) => ({ ...column, least: column.least - (column.set ? 0 : closer) }));
  const natural = columns.map(naturalOf);
  if (sumOf(natural) <= room) return columns.map(({ width }) => width);
  const folded = columns.map((column) => (isMoment(column) ? column.least : naturalOf(column)));
  const missing = sumOf(folded) - room;
  if (missing <= 0)
    return columns.map((column, place) => (column.width === undefined ? undefined : folded[place]));
  const slack = columns.map(({ least }, place) => (folded[place] ?? 0) - least);
  const share = Math.min(1, missing / Math.max(1, sumOf(slack)));
  return folded.map((width, place) => Math.floor(width - (slack[place] ?? 0) * share));
}
