import sax, { type SAXParser } from 'sax';
import { unreadable } from './table.ts';

type Handlers = Pick<SAXParser, 'onopentag' | 'onclosetag' | 'ontext'>;

/** Runs XML through handlers as it comes. Entities of its own cannot be declared, so that nothing grows. */
async function read(pieces: AsyncIterable<string>, handlers: Handlers): Promise<void> {
  const xml = sax.parser(true, { position: false });
  let broken = false;
  xml.onerror = () => {
    broken = true;
  };
  Object.assign(xml, handlers);
  for await (const piece of pieces) {
    xml.write(piece);
    if (broken) throw unreadable('工作簿已损坏');
  }
  xml.close();
  if (broken) throw unreadable('工作簿已损坏');
}

const attribute = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The texts that cells name by number. Of text in several looks the parts are joined; how it is pronounced is left out. */
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
      if (taken) text += part;
    },
    onclosetag: (name) => {
      taken = false;
      if (name === 'rPh') aside -= 1;
      if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

/** `C7` stands in the third column, which is 2. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Numbers are kept in binary with a tail of digits that nobody typed. */
const numberText = (text: string): string => {
  const shortest = String(Number(text));
  return text === '' || /[eN]/.test(shortest) ? text : shortest;
};

function cellText(type: string, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  if (type === 'e') return text;
  return type === 'str' || type === 'inlineStr' ? text : numberText(text);
}

/** Hands out the rows of a sheet with their numbers, as they come. */
export async function readSheet(
  pieces: AsyncIterable<string>,
  shared: readonly string[],
  onRow: (row: readonly string[], number: number) => void,
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
      if (taken) text += part;
    },
    onclosetag: (name) => {
      taken = false;
      if (name === 'c') {
        while (row.length < column) row.push('');
        row[column] = cellText(type, text, shared);
      }
      if (name === 'row') onRow(row, number);
    },
  });
}
