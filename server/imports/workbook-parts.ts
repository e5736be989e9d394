import type { Entry } from 'yauzl';
import { unreadable } from './table.ts';
import { readXml } from './xml-reader.ts';

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;

/** What a workbook says of itself: its sheets that are shown, by how its relations call them, and from which year it counts days. */
interface Book {
  readonly shown: readonly string[];
  readonly from1904: boolean;
}

async function readBook(pieces: AsyncIterable<string>): Promise<Book> {
  const shown: string[] = [];
  let from1904 = false;
  await readXml(pieces, {
    opened: (name, attribute) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attribute('date1904'));
      if (name === 'sheet' && !attribute('state').toLowerCase().includes('hidden'))
        shown.push(attribute('r:id'));
    },
  });
  return { shown, from1904 };
}

/** The part that each relation of the workbook leads to. */
async function readRelations(pieces: AsyncIterable<string>): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  await readXml(pieces, {
    opened: (name, attribute) => {
      const target = attribute('Target');
      if (name === 'Relationship')
        parts.set(attribute('Id'), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    },
  });
  return parts;
}

/** The parts of a workbook that are read. */
export interface Parts {
  readonly shared: Entry | undefined;
  readonly styles: Entry | undefined;
  readonly sheet: Entry;
  readonly from1904: boolean;
}

const numberOf = ({ fileName }: Entry): number => Number(/\d+/.exec(fileName)?.[0] ?? 0);

/** Finds among the parts of a workbook its first sheet, as it says itself or, where it does not, by number. */
export async function partsOf(
  entries: readonly Entry[],
  open: (entry: Entry) => AsyncIterable<string>,
): Promise<Parts> {
  const named = (name: string) => entries.find(({ fileName }) => fileName === name);
  const sheets = entries.filter(({ fileName }) => SHEET.test(fileName));
  const book = named('xl/workbook.xml');
  const relations = named('xl/_rels/workbook.xml.rels');
  const { shown, from1904 } = book ? await readBook(open(book)) : { shown: [], from1904: false };
  const parts = relations ? await readRelations(open(relations)) : new Map<string, string>();
  const byName = new Map(sheets.map((entry) => [entry.fileName, entry]));
  const first = shown.find((id) => byName.has(parts.get(id) ?? ''));
  const sheet =
    byName.get(parts.get(first ?? '') ?? '') ?? sheets.toSorted((a, b) => numberOf(a) - numberOf(b))[0];
  if (!sheet) throw unreadable('不是 Excel 工作簿');
  return { shared: named('xl/sharedStrings.xml'), styles: named('xl/styles.xml'), sheet, from1904 };
}
