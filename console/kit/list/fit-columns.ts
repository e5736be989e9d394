import { language } from '#contract/language.ts';
import { told } from '../call/told.ts';
import { type Field, valueAt } from '../form/field.ts';
import { isNumeric } from '../form/field-input.ts';
import { countText, moneyText } from '../form/money.ts';
import type { Option } from '../form/options.ts';
import { CJK_PX, type Column, headingLeast, PADDING_PX, TEXT_WIDTH, widthOf, wordsWidth } from './columns.ts';
import type { Line } from './tree-rows.ts';

type Sized = Pick<Column<never>, 'field' | 'label' | 'width' | 'least' | 'set' | 'options' | 'render'>;

const naturalOf = ({ width = TEXT_WIDTH }: Sized): number => width;
const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);
const isMoment = ({ field }: Sized): boolean => field?.kind === 'dateTime';

const DIGIT_PX = 8;
const AROUND_PX = 22;
/** What columns of a crowded list save, which stand closer. */
const CLOSER_PX = 8;
/** What its letters take of their usual room: English takes more than Chinese, and is read as well at 12 pixels for 13. Widths are reckoned a little above what is drawn. */
const SMALLER = language === 'en' ? 0.9 : 1;

/** How many signs the longest of what rows have there. A loop, because it runs through ten thousand before they are drawn. */
function longestOf(rows: readonly { readonly row: object }[], name: string): number {
  let longest = 0;
  let greatest = 0;
  for (const { row } of rows) {
    const value = valueAt(row, name);
    if (typeof value === 'string' && value.length > longest) longest = value.length;
    if (typeof value === 'number' && value > greatest) greatest = value;
  }
  return Math.max(longest, String(greatest).length);
}

/** Whether a column holds numbers as they are, which are no number any more without their last digits. */
const isOfNumbers = <R>({ field, options, render, set }: Column<R>): boolean =>
  field !== null &&
  !set &&
  (field.kind === 'money' || (isNumeric(field.kind) && !field.words && !options && !render));

/** The columns with as much room for numbers as the longest needs: one that is cut off would be read as another. */
export function wideEnough<R extends object>(
  columns: readonly Column<R>[],
  rows: readonly { readonly row: R }[],
): readonly Column<R>[] {
  return columns.map((column) => {
    const { field, width = TEXT_WIDTH, least } = column;
    if (!field || !isOfNumbers(column)) return column;
    const longest = longestOf(rows, field.name);
    const isMoney = field.kind === 'money';
    if (isMoney && longest <= SHORT) return column;
    const signs = isMoney ? moneyText('1'.repeat(longest - 3)).length : longest;
    const needed = signs * DIGIT_PX + AROUND_PX;
    return needed <= least ? column : { ...column, least: needed, width: Math.max(width, needed) };
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

/** What a value reads as in its cell, as far as its length goes. */
const textOf: Partial<Record<Field['kind'], (value: string) => string>> = {
  ...{ id: String, integer: countText, decimal: String, money: moneyText },
};

type Placed = Pick<Line<object>, 'row' | 'depth' | 'hasBelow'>;

/** What stands before the first column's content: how deep its row lies in a tree, and what opens it. */
const branchPx = ({ depth, hasBelow }: Placed): number =>
  depth > 0 || hasBelow ? depth * BRANCH_PX + TOGGLE_PX : 0;
const BRANCH_PX = 16;
const TOGGLE_PX = 24;

/**
 * How much room each column needs so that nothing in it is cut: of text and numbers what rows hold, of a choice its longest word, of
 * others what they like. What a list draws in its own way is told for text only, which is at least as long as it reads. `branches` when
 * the first column shows how deep its rows lie.
 */
export function neededWidths(
  columns: readonly (Sized & Pick<Column<never>, 'key'>)[],
  lines: readonly Placed[],
  options: Readonly<Record<string, readonly Option[] | undefined>>,
  branches: boolean,
): number[] {
  const looked = lines.slice(0, LOOKED_AT);
  return columns.map((column, place) => {
    const { field, key, render, least } = column;
    if (field?.words && !render) return Math.max(least, wordsWidth(field.words));
    const text = isText(column) ? String : render ? undefined : textOf[field?.kind ?? 'other'];
    if (!field || !text || looked.length === 0) return naturalOf(column);
    const names = new Map(options[key]?.map(({ value, label }) => [String(value), label]));
    const widest = looked.reduce((most, line) => {
      const kept = String(valueAt(line.row, field.name) ?? '');
      const value = field.seeded === undefined ? kept : told(kept, field.seeded);
      const before = branches && place === 0 ? branchPx(line) : 0;
      return Math.max(most, before + widthOf(names.get(value) ?? text(value)));
    }, 0);
    // A number further down may be longer, and must not be cut.
    const more = isText(column) || lines.length <= LOOKED_AT ? 0 : least;
    return Math.min(MOST_TEXT, Math.max(widest + PADDING_PX, more, render ? naturalOf(column) : 0));
  });
}

/** What a heading takes in so many lines. */
const headingPx = ({ label }: Sized, lines: number): number =>
  Math.max(headingLeast(label), Math.ceil(widthOf(label) / lines / CJK_PX) * CJK_PX + PADDING_PX);

/**
 * Columns with the room that is left over: it goes to text and headings that are cut or folded, then to all text. One column of text
 * alone must not take all the room of a wide screen: then every column grows a little.
 */
function grown(
  columns: readonly Sized[],
  widths: readonly number[],
  room: number,
  needed: readonly number[],
) {
  const lacks = columns.map((column, place) => {
    if (column.set || isMoment(column)) return 0;
    const wanted = Math.max(headingPx(column, 1), isText(column) ? (needed[place] ?? 0) : 0);
    return Math.max(0, wanted - (widths[place] ?? 0));
  });
  const share = Math.min(1, (room - sumOf(widths)) / Math.max(1, sumOf(lacks)));
  const filled = widths.map((width, place) => width + (lacks[place] ?? 0) * share);
  const alone = columns.filter((column) => isText(column) && !column.set).length < 2;
  const grows = columns.map((column) => !column.set && (alone || isText(column)));
  const rest = room - sumOf(filled);
  const whole = sumOf(filled.filter((_, place) => grows[place]));
  const shared = filled.map((width, place) =>
    Math.floor(grows[place] ? width + (rest * width) / whole : width),
  );
  // Parts of a pixel are one column's: what no column has, a browser spreads over all, those that were given a width as well.
  const last = grows.lastIndexOf(true);
  const left = Math.floor(room - sumOf(shared));
  return shared.map((width, place) => (place === last ? width + left : width));
}

/** Columns that are cut: of text, and of what a list draws in its own way, the longest first, so that what is short stays whole; then all alike. None goes below its least. */
function cut(columns: readonly Sized[], widths: readonly number[], room: number): number[] {
  const atMost = (level: number) =>
    widths.map((width, place) => {
      const column = columns[place];
      const gives = column && !column.set && (isText(column) || column.render);
      return gives ? Math.min(width, Math.max(column.least, level)) : width;
    });
  let level = Math.max(...widths);
  while (level > 0 && sumOf(atMost(level)) > room) level -= 1;
  const levelled = atMost(level);
  const slack = columns.map(({ least }, place) => Math.max(0, (levelled[place] ?? 0) - least));
  const share = Math.max(0, Math.min(1, (sumOf(levelled) - room) / Math.max(1, sumOf(slack))));
  return levelled.map((width, place) => Math.floor(width - (slack[place] ?? 0) * share));
}

/** The widths of columns in some room, and whether they stand closer than usual. */
interface Fitted {
  readonly widths: readonly number[];
  readonly crowded: boolean;
}

/**
 * The widths of columns in so much room. Where not all can have what they like, they have what their rows and headings need; where that
 * is too much, moments stand in two lines, which lose nothing by it; then headings do; then all columns stand closer; and last something
 * is cut. What is missing then, the table scrolls.
 */
export function fittedWidths(
  columns: readonly Sized[],
  room: number,
  needed: readonly number[] = columns.map(naturalOf),
): Fitted {
  const inLines = (heading: number, moment: number) =>
    columns.map((column, place) => {
      const like = naturalOf(column);
      if (isMoment(column) && moment > 1) return Math.min(like, column.least);
      const wanted = Math.max(needed[place] ?? 0, headingPx(column, heading));
      return column.set || isMoment(column) ? like : Math.min(like, wanted);
    });
  const usual = [columns.map(naturalOf), inLines(1, 1), inLines(1, 2), inLines(2, 2)];
  const fitting = usual.find((widths) => sumOf(widths) <= room);
  if (fitting) return { widths: grown(columns, fitting, room, needed), crowded: false };
  const nearer = (width: number, { set }: Sized) =>
    set ? width : Math.ceil((width - PADDING_PX) * SMALLER) + PADDING_PX - CLOSER_PX;
  const closer = columns.map((column) => ({ ...column, least: nearer(column.least, column) }));
  const widths = inLines(2, 2).map((width, place) => nearer(width, columns[place] as Sized));
  const standing = sumOf(widths) > room ? cut(closer, widths, room) : widths;
  // Closer, they may leave something over again.
  const hasRoom = sumOf(standing) < room;
  return { widths: hasRoom ? grown(closer, standing, room, needed) : standing, crowded: true };
}
