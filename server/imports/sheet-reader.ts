import sax, { type SAXParser } from 'sax';
import { LONGEST_CELL, type TableWithin, unreadable } from './table.ts';

type Handlers = Required<Pick<SAXParser, 'onopentag' | 'onclosetag' | 'ontext'>>;

/** Cells of any sheet stand less deep, and none of its tags has as many attributes. */
const DEEPEST = 20;
const MOST_ATTRIBUTES = 100;

/** How a declaration begins, which no part of a workbook may have: the parser takes seconds over a long one. */
const DECLARATION = /<\s*!(?!--|\[CDATA\[)/;
/** What may be the beginning of one, at the end of a piece. */
const BEGINNING = /<\s*(?:![-[A-Z]{0,7})?$/;
/** No tag begins with as many blanks. */
const LONGEST_BEGINNING = 100;

const broken = () => unreadable('工作簿已损坏');

/** The same text in pieces that each tell whether a declaration begins in them. */
async function* undeclared(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    rest = BEGINNING.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - rest.length);
    if (DECLARATION.test(whole) || rest.length > LONGEST_BEGINNING) throw broken();
    yield whole;
  }
  yield rest;
}

/**
 * Runs XML through handlers as it comes, and throws where it is broken or like no sheet. Entities of its own cannot be declared, so that
 * nothing grows; names and attributes of more than 64 KB are broken, which the parser finds by counting its position.
 */
async function read(
  pieces: AsyncIterable<string>,
  { onopentag, onclosetag, ontext }: Handlers,
): Promise<void> {
  const xml = sax.parser(true);
  let depth = 0;
  let attributes = 0;
  Object.assign(xml, {
    onerror: () => {
      throw broken();
    },
    onopentagstart: () => {
      depth += 1;
      attributes = 0;
      if (depth > DEEPEST) throw broken();
    },
    onattribute: () => {
      attributes += 1;
      if (attributes > MOST_ATTRIBUTES) throw broken();
    },
    onopentag,
    onclosetag: (name: string) => {
      depth -= 1;
      onclosetag(name);
    },
    ontext,
    oncdata: ontext,
  });
  for await (const piece of undeclared(pieces)) xml.write(piece);
  xml.close();
}

const attribute = (value: unknown): string => (typeof value === 'string' ? value : '');

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
  await read(pieces, {
    onopentag: ({ name }) => {
      if (name === 'si') text = '';
      if (name === 'rPh') aside += 1;
      taken = name === 't' && aside === 0;
    },
    ontext: (part) => {
      if (taken && text.length <= LONGEST_CELL) text += part;
    },
    onclosetag: (name) => {
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

/** Numbers are kept in binary with a tail of digits that nobody typed; a whole one has none, and may have more digits than binary keeps. */
const numberText = (text: string): string => {
  const shortest = String(Number(text));
  return text === '' || /^-?\d+$/.test(text) || /[eN]/.test(shortest) ? text : shortest;
};

function cellText(type: string, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  if (type === 'e') return text;
  return type === 'str' || type === 'inlineStr' ? decoded(text) : numberText(text);
}

/** Hands on the rows of a sheet with their numbers, as they come. */
export async function readSheet(
  pieces: AsyncIterable<string>,
  shared: readonly string[],
  within: TableWithin,
): Promise<void> {
  let row: string[] = [];
  let number = 0;
  let column = -1;
  let type = '';
  let text = '';
  let taken = false;
  await read(pieces, {
    onopentag: ({ name, attributes }) => {
      if (name === 'row') {
        row = [];
        column = -1;
        number = Number(attribute(attributes.r)) || number + 1;
      }
      if (name === 'c') {
        const at = columnOf(attribute(attributes.r));
        column = at >= 0 ? at : column + 1;
        type = attribute(attributes.t);
        text = '';
      }
      taken = name === 'v' || (name === 't' && type === 'inlineStr');
    },
    ontext: (part) => {
      if (!taken) return;
      text += part;
      within.demandCell({ row: number, column, length: text.length });
    },
    onclosetag: (name) => {
      taken = false;
      if (name === 'c') {
        const cell = cellText(type, text, shared);
        within.demandCell({ row: number, column, length: cell.length });
        while (row.length < column) row.push('');
        row[column] = cell;
      }
      if (name === 'row') within.add(row, number);
    },
  });
}
