import type { ReactNode } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Field, fieldOf, rowSchemaOf } from '../form/field.ts';
import type { Options } from '../form/options.ts';
import { naming } from '../form/references.ts';
import type { Tone } from '../form/tones.ts';

/** The fields of a row, and those of an object in it: `account.username`. */
export type FieldPath<R> = {
  [K in keyof R & string]: NonNullable<R[K]> extends readonly unknown[]
    ? K
    : NonNullable<R[K]> extends object
      ? K | `${K}.${keyof NonNullable<R[K]> & string}`
      : K;
}[keyof R & string];

interface ColumnExtras<R> {
  readonly label?: string;
  /** In pixels; columns of text without one share the room that is left. */
  readonly width?: number;
  /** How narrow it may become where room is short, if less than that would cut off what must be read. */
  readonly least?: number;
  readonly align?: 'start' | 'center' | 'end';
  /** Rows that leave the cell empty, such as those below a row that says it already. */
  readonly blank?: (row: R) => boolean;
  /** The cell's content, where it is more than the value. It is called and no component: what needs hooks stands in one that it draws. */
  readonly render?: (row: R) => ReactNode;
}

interface FieldColumn<R> extends ColumnExtras<R> {
  readonly field: FieldPath<R>;
  /** Words for values that are neither codes nor references. */
  readonly options?: Options;
  /** The colours of a choice's codes, where they are not obvious. */
  readonly tones?: Readonly<Record<string, Tone>>;
}

interface FreeColumn<R> extends ColumnExtras<R> {
  readonly field?: never;
  readonly label: string;
  readonly render: (row: R) => ReactNode;
}

/** A column: a field by its name alone, a field with what is special about it, or something made of the row. */
export type ColumnSpec<R> = FieldPath<R> | FieldColumn<R> | FreeColumn<R>;

/** A column ready to be drawn. */
export interface Column<R> {
  readonly key: string;
  readonly field: Field | null;
  readonly label: string;
  readonly width: number | undefined;
  /** How narrow it may become before the table scrolls in its box. */
  readonly least: number;
  /** Whether its operator gave it this width, which it then keeps. */
  readonly set: boolean;
  /** Whether it stays in sight while the others move under it. */
  readonly pinned: boolean;
  readonly align: 'start' | 'center' | 'end';
  readonly blank: ((row: R) => boolean) | undefined;
  readonly render: ((row: R) => ReactNode) | undefined;
  readonly options: Options | undefined;
  readonly tones: Readonly<Record<string, Tone>> | undefined;
}

/** Wide enough for what a kind of field usually holds; text takes what is left. */
const widths: Partial<Record<Field['kind'], number>> = {
  ...{ id: 80, integer: 96, decimal: 128, money: 128, flag: 88, choice: 96, dateTime: 160, time: 92 },
};
const numbers: ReadonlySet<Field['kind']> = new Set(['integer', 'decimal', 'money']);

export const CJK_PX = 13;
const LATIN_PX = 8;
const NARROW_PX = 5;
const WIDE_PX = 11;
const CAPITAL_PX = 9;
export const PADDING_PX = 22;
const TAG_PX = 16;

function signWidth(sign: string): number {
  if (sign > '\u2e7f') return CJK_PX;
  if (/[fijlrtI'’|() -]/.test(sign)) return NARROW_PX;
  if (/[mwMW@%]/.test(sign)) return WIDE_PX;
  return /[A-Z]/.test(sign) ? CAPITAL_PX : LATIN_PX;
}

/** About as wide as a text is drawn. */
export const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + signWidth(sign), 0);

/** What letters take where a text is folded between its words: unlike Chinese, a word stands in one line. */
const longestWord = (text: string): number => Math.max(0, ...text.split(' ').map(widthOf));

const tagged = (words: Field['words'], width: (text: string) => number): number =>
  Math.max(0, ...Object.values(words ?? {}).map(width)) + TAG_PX + PADDING_PX;

/** What the longest word of a choice takes in one line. */
export const wordsWidth = (words: Field['words']): number => tagged(words, widthOf);

/** What a kind of field usually holds, but never less than its own heading or its longest word needs. */
function usualWidth(kind: Field['kind'], label: string, words: Field['words']): number | undefined {
  const usual = widths[kind];
  if (usual === undefined) return undefined;
  return Math.max(usual, widthOf(label) + PADDING_PX, words ? wordsWidth(words) : 0);
}

/** What a column of text without a width counts for. */
export const TEXT_WIDTH = 130;
/** The least a column of text shrinks to: some signs and the dots for the rest, all of which the mouse tells. */
const LEAST_TEXT = 60;
/** A moment in two lines, the day over the time. */
const LEAST_MOMENT = 92;
/** What must not be cut off keeps this much: a cut amount or state would be read as another. */
const leasts: Partial<Record<Field['kind'], number>> = {
  ...{ id: 60, integer: 56, decimal: 84, money: 92, dateTime: LEAST_MOMENT, time: 76 },
};

/** What a heading needs at least. Chinese folds anywhere. */
export const headingLeast = (label: string): number =>
  Math.max(0, ...(label.match(/[!-\u024f]+/g) ?? []).map((word) => widthOf(word) + PADDING_PX));

/** The width below which a column would say something else, or nothing. */
function leastWidth(kind: Field['kind'], natural: number, words: Field['words']): number {
  const needed = words ? tagged(words, longestWord) : (leasts[kind] ?? LEAST_TEXT);
  return Math.min(natural, needed);
}

export function columnsOf<R>(endpoint: AnyEndpoint, specs: readonly ColumnSpec<R>[]): Column<R>[] {
  const schema = rowSchemaOf(endpoint.output);
  return specs.map((spec) => {
    const given: FieldColumn<R> | FreeColumn<R> = typeof spec === 'string' ? { field: spec } : spec;
    const field = given.field === undefined ? null : fieldOf(schema, given.field);
    const { options = field ? naming(field) : undefined, tones }: Partial<FieldColumn<R>> =
      given.field === undefined ? {} : (given as FieldColumn<R>);
    const kind = field?.kind ?? 'other';
    const label = given.label ?? field?.label ?? '';
    const usual = options || given.render ? undefined : usualWidth(kind, label, field?.words);
    const natural = given.width ?? usual;
    // As wide as it was given, but that nothing is cut which would say something else then.
    const needed = Math.max(headingLeast(label), given.width && field?.words ? wordsWidth(field.words) : 0);
    const width = natural && Math.max(natural, needed);
    return {
      key: field?.name ?? given.label ?? '',
      field,
      label,
      width,
      least: Math.max(
        headingLeast(label),
        given.least ?? leastWidth(kind, width ?? TEXT_WIDTH, field?.words),
      ),
      set: false,
      pinned: false,
      align: given.align ?? (numbers.has(kind) ? 'end' : 'start'),
      render: given.render,
      blank: given.blank,
      options,
      tones,
    };
  });
}
