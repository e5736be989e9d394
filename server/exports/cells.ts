import type { NounName } from '#contract/ref.ts';
import type { ExportColumn } from './columns.ts';

/** A cell before it is written: `number` and `moment` where a spreadsheet may reckon with it. */
export interface Cell {
  readonly type: 'text' | 'number' | 'moment';
  readonly text: string;
}

export type IdNames = ReadonlyMap<NounName, ReadonlyMap<unknown, string>>;

const isNumber = (text: string): boolean => /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
/** A spreadsheet keeps 15 digits; what has more stays text, to the last digit. */
const fitsSpreadsheet = (text: string): boolean => text.replace(/\D/g, '').length <= 15;

/**
 * Text as a spreadsheet may safely open it. What begins with `=`, `+`, `-`, `@`, a tab or a line break (also behind spaces, also
 * in full width) could be taken for a formula and is put behind an apostrophe.
 */
export const neutralised = (text: string): string =>
  /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function plainText({ kind, names, words, parts }: ExportColumn, value: unknown, idNames: IdNames): string {
  if (value === null || value === undefined) return '';
  if (kind === 'list' && Array.isArray(value)) {
    const line = (part: unknown) =>
      parts
        .map((column) => plainText(column, valueAt(part, column.path), idNames))
        .filter((text) => text !== '');
    return value.map((part) => line(part).join(' ')).join('；');
  }
  if (names) return idNames.get(names)?.get(value) ?? String(value);
  const code = String(value);
  if (words) return words[code] ?? code;
  return typeof value === 'object' ? JSON.stringify(value) : code;
}

const reckoned: ReadonlySet<string> = new Set(['id', 'integer', 'decimal', 'money']);

/** What stands in a column for a row. */
export function cellOf(column: ExportColumn, row: object, idNames: IdNames): Cell {
  const text = plainText(column, valueAt(row, column.path), idNames);
  if (!column.names && reckoned.has(column.kind) && isNumber(text))
    return { type: fitsSpreadsheet(text) ? 'number' : 'text', text };
  if (column.kind === 'dateTime' && text !== '') return { type: 'moment', text };
  return { type: 'text', text: neutralised(text) };
}
