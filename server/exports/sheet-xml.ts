import type { Cell } from './cells.ts';
import type { Head } from './file-writer.ts';

/** Spreadsheets take no longer text in a cell. */
const LONGEST_TEXT = 32_767;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold these at all.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text as it stands in XML. `_x000D_` and its like would be read as the character of that number. */
export const xmlText = (text: string): string =>
  (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unwritable, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (char) => entities[char] ?? '');

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);

/** A spreadsheet's number for a moment as the wire has it: days since 1899-12-30, whatever the zone. */
export function serialOf(moment: string): number {
  const [date = '', time = ''] = moment.split(' ');
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return (Date.UTC(year, month - 1, day, hour, minute, second) - FIRST_DAY) / DAY_MS;
}

export const HEAD_STYLE = 1;
export const MOMENT_STYLE = 2;

const textCell = (text: string, style = ''): string =>
  `<c${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

function cellXml({ type, text }: Cell): string {
  if (text === '') return '<c/>';
  if (type === 'number') return `<c><v>${text}</v></c>`;
  if (type === 'moment') return `<c s="${MOMENT_STYLE}"><v>${serialOf(text)}</v></c>`;
  return textCell(text);
}

export const rowXml = (cells: readonly Cell[]): string => `<row>${cells.map(cellXml).join('')}</row>`;

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
