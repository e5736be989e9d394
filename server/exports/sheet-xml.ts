import type { WriteCell } from './cells.ts';
import type { Head, RowMarks } from './file-writer.ts';
import { serialOf } from './serials.ts';

/** Spreadsheets take no longer text in a cell. */
const LONGEST_TEXT = 32_767;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold these at all.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** What may have to be said otherwise; most texts have none of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold these at all.
const suspect = /[\u0000-\u0008\u000b\u000c\r\u000e-\u001f&<>_\ud800-\udfff\ufffe\uffff]/;

/** Text as it stands in XML. `_x000D_` and its like would be read as the character of that number. */
export const xmlText = (text: string): string =>
  text.length <= LONGEST_TEXT && !suspect.test(text) ? text : rewritten(text);

const rewritten = (text: string): string =>
  (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unwritable, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (char) => entities[char] ?? '');

const HEAD_STYLE = 1;
const MOMENT_STYLE = 2;
const AMOUNT_STYLE = 3;
const TEXT_STYLE = 4;

/** Blanks at the ends, and those that follow one another, are lost to a reader that is not told to keep them. */
const lost = /^\s|\s$|[\r\n\t]|\s\s/;

/**
 * A text in its cell. Most stand there as what a formula gave would, which costs a third of the bytes around them; what has to be told of a text,
 * or said otherwise than it is, the other way alone has a place for.
 */
function textCell(text: string, style = ''): string {
  const said = xmlText(text);
  if (said === text && !lost.test(text)) return `${style} t="str"><v>${text}</v></c>`;
  const keeping = lost.test(text) ? ' xml:space="preserve"' : '';
  return `${style} t="inlineStr"><is><t${keeping}>${said}</t></is></c>`;
}

/** A cell from behind its place. */
export const cellXml: WriteCell = (type, text) => {
  if (text === '') return '/>';
  if (type === 'number') return `><v>${text}</v></c>`;
  if (type === 'amount') return ` s="${AMOUNT_STYLE}"><v>${text}</v></c>`;
  if (type === 'moment') return ` s="${MOMENT_STYLE}"><v>${serialOf(text)}</v></c>`;
  return textCell(text);
};

/** What a spreadsheet calls a column, counted from 0: A to Z, then AA. */
export const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(0x41 + (column % 26));

const behind = '</row>';

/** Each row says its number and each cell its place: the format asks for neither, but half of the programs that read it fail without. */
export const placedRows: RowMarks = {
  before: (column) => {
    const cell = `<c r="${columnName(column)}`;
    return column === 0 ? ['<row r="', `">${cell}`, '"'] : [cell, '"'];
  },
  behind,
};

/** Rows and cells that follow one another, of which spreadsheets know where they stand. */
export const bareRows: RowMarks = { before: (column) => [column === 0 ? '<row><c' : '<c'], behind };

/** Where the rows of a list begin: the first row of a sheet is its head. */
export const FIRST_ROW = 2;

/** A row of written cells; the first of a sheet has the number 1. */
export const rowXml = (cells: readonly string[], number: number, marks = placedRows): string =>
  cells.map((cell, column) => marks.before(column).join(String(number)) + cell).join('') + marks.behind;

const widths = { text: 24, number: 14, amount: 24, moment: 20 } as const;

/** A sheet up to its first row: the heads stay in sight when it scrolls. What is typed where nothing stands yet stays as it is where that is `typed`. */
export function sheetStart(
  heads: readonly Head[],
  { typed = false, marks = placedRows }: { readonly typed?: boolean; readonly marks?: RowMarks } = {},
): string {
  const style = typed ? ` style="${TEXT_STYLE}"` : '';
  const columns = heads.map(
    ({ type }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widths[type]}"${style} customWidth="1"/>`,
  );
  const labels = heads.map(({ label }) => textCell(label, ` s="${HEAD_STYLE}"`));
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rowXml(labels, 1, marks)}`
  );
}

export const sheetEnd = '</sheetData></worksheet>';
