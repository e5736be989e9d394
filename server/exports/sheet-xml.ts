import type { WriteCell } from './cells.ts';
import type { Head, RowMarks } from './file-writer.ts';

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

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);

/** Rows of a list are mostly of the same day as the one before. */
let lastDay = { date: '', days: 0 };
function daysOf(date: string): number {
  if (lastDay.date === date) return lastDay.days;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  lastDay = { date, days: (Date.UTC(year, month - 1, day) - FIRST_DAY) / DAY_MS };
  return lastDay.days;
}

const DAY_SECONDS = 86_400;
const part = (moment: string, from: number): number => Number(moment.slice(from, from + 2));

/** A spreadsheet's number for a moment as the wire has it, `YYYY-MM-DD HH:mm:ss`: days since 1899-12-30, whatever the zone. */
export const serialOf = (moment: string): number =>
  daysOf(moment.slice(0, 10)) +
  (part(moment, 11) * 3600 + part(moment, 14) * 60 + part(moment, 17)) / DAY_SECONDS;

export const HEAD_STYLE = 1;
export const MOMENT_STYLE = 2;

/** Blanks at the ends, and those that follow one another, are lost to a reader that is not told to keep them. */
const keeping = (text: string): string => (/^\s|\s$|[\r\n\t]|\s\s/.test(text) ? ' xml:space="preserve"' : '');

const textCell = (text: string, style = ''): string =>
  `<c${style} t="inlineStr"><is><t${keeping(text)}>${xmlText(text)}</t></is></c>`;

export const cellXml: WriteCell = (type, text) => {
  if (text === '') return '<c/>';
  if (type === 'number') return `<c><v>${text}</v></c>`;
  if (type === 'moment') return `<c s="${MOMENT_STYLE}"><v>${serialOf(text)}</v></c>`;
  return textCell(text);
};

export const rowMarks: RowMarks = { before: '<row>', between: '', behind: '</row>' };

/** A row of written cells. */
export const rowXml = (cells: readonly string[]): string =>
  rowMarks.before + cells.join(rowMarks.between) + rowMarks.behind;

const widths = { text: 24, number: 14, moment: 20 } as const;

/** A sheet up to its first row: the heads stay in sight when it scrolls. */
export function sheetStart(heads: readonly Head[]): string {
  const columns = heads.map(
    ({ type }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widths[type]}" customWidth="1"/>`,
  );
  const labels = heads.map(({ label }) => textCell(label, ` s="${HEAD_STYLE}"`));
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData><row>${labels.join('')}</row>`
  );
}

export const sheetEnd = '</sheetData></worksheet>';
