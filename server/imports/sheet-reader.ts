import type { NumberLooks } from './number-looks.ts';
import { LONGEST_CELL, type TableWithin } from './table.ts';
import { readXml } from './xml-reader.ts';

/** What XML cannot hold stands in the texts of a workbook by its code, as does the `_` of what would look like one. */
const decoded = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * The texts that cells name by number. Of text in several looks the parts are joined; how it is pronounced is left out. One that is too long
 * for a cell is cut where that can be told, since it may belong to another sheet.
 */
export async function readSharedTexts(pieces: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let taken = false;
  let aside = 0;
  await readXml(pieces, {
    opened: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') aside += 1;
      taken = name === 't' && aside === 0;
    },
    text: (part) => {
      if (taken && text.length <= LONGEST_CELL) text += part;
    },
    closed: (name) => {
      taken = false;
      if (name === 'rPh') aside -= 1;
      if (name === 'si') texts.push(text.length > LONGEST_CELL ? text : decoded(text));
    },
  });
  return texts;
}

/** `C7` stands in the third column, which is 2. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** As many digits as spreadsheets show and take. */
const SHOWN_DIGITS = 15;

/**
 * Numbers are kept in binary, whose tail of digits nobody typed and sums make longer; a whole one has none, and may have more digits than
 * binary keeps.
 */
const numberText = (text: string): string => {
  const shortest = String(Number(Number(text).toPrecision(SHOWN_DIGITS)));
  return text === '' || /^-?\d+$/.test(text) || /[eN]/.test(shortest) ? text : shortest;
};

/** What the cells of a sheet refer to: texts that several may share, and looks. */
interface Shared {
  readonly texts: readonly string[];
  readonly looks: NumberLooks;
}

interface Cell {
  readonly type: string;
  readonly look: string;
}

function cellText({ type, look }: Cell, text: string, { texts, looks }: Shared): string {
  if (type === 's') return texts[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  if (type === 'e') return text;
  if (type === 'str' || type === 'inlineStr') return decoded(text);
  return looks(look, text) ?? numberText(text);
}

/** Hands on the rows of a sheet with their numbers, as they come. */
export async function readSheet(
  pieces: AsyncIterable<string>,
  shared: Shared,
  within: TableWithin,
): Promise<void> {
  let row: string[] = [];
  let number = 0;
  let column = -1;
  let cell: Cell = { type: '', look: '' };
  let text = '';
  let taken = false;
  await readXml(pieces, {
    opened: (name, attribute) => {
      if (name === 'row') {
        row = [];
        column = -1;
        number = Number(attribute('r')) || number + 1;
      }
      if (name === 'c') {
        const at = columnOf(attribute('r'));
        column = at >= 0 ? at : column + 1;
        cell = { type: attribute('t'), look: attribute('s') };
        text = '';
      }
      taken = name === 'v' || (name === 't' && cell.type === 'inlineStr');
    },
    text: (part) => {
      if (!taken) return;
      text += part;
      within.demandCell({ row: number, column, length: text.length });
    },
    closed: (name) => {
      taken = false;
      if (name === 'c') {
        const shown = cellText(cell, text, shared);
        within.demandCell({ row: number, column, length: shown.length });
        while (row.length < column) row.push('');
        row[column] = shown;
      }
      if (name === 'row') within.add(row, number);
    },
  });
}
