import sax, { type Tag } from 'sax';
import { unreadable } from './table.ts';

/** What an element begins with; an attribute that is not there is an empty text. */
type Opened = (name: string, attribute: (name: string) => string) => void;

interface Handlers {
  readonly opened: Opened;
  readonly closed?: (name: string) => void;
  readonly text?: (part: string) => void;
}

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
 * Runs XML through handlers as it comes, and throws where it is broken or like no sheet. The prefix of the outermost element, which some
 * programs write, is left out of all names. Entities of its own cannot be declared, so that nothing grows; names and attributes of more than
 * 64 KB are broken, which the parser finds by counting its position.
 */
export async function readXml(
  pieces: AsyncIterable<string>,
  { opened, closed, text }: Handlers,
): Promise<void> {
  const xml = sax.parser(true);
  let depth = 0;
  let attributes = 0;
  let prefix = '';
  const bare = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  Object.assign(xml, {
    onerror: () => {
      throw broken();
    },
    onopentagstart: ({ name }: Tag) => {
      if (depth === 0) prefix = name.slice(0, name.indexOf(':') + 1);
      depth += 1;
      attributes = 0;
      if (depth > DEEPEST) throw broken();
    },
    onattribute: () => {
      attributes += 1;
      if (attributes > MOST_ATTRIBUTES) throw broken();
    },
    onopentag: ({ name, attributes: given }: Tag) =>
      opened(bare(name), (attribute) => given[attribute] ?? ''),
    onclosetag: (name: string) => {
      depth -= 1;
      closed?.(bare(name));
    },
    ontext: text,
    oncdata: text,
  });
  for await (const piece of undeclared(pieces)) xml.write(piece);
  xml.close();
}
