import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Refusal } from '#server/refusal.ts';
import { readNumberLooks } from './number-looks.ts';
import { reading } from './pace.ts';
import { readSharedTexts, readSheet } from './sheet-reader.ts';
import { type Table, tableWithin, unreadable } from './table.ts';
import { partsOf } from './workbook-parts.ts';

const MOST_ENTRIES = 1_000;
/** Unpacked, of all that is read together: a small file must not grow into gigabytes. */
const MOST_BYTES = 64 * 1_048_576;

/** The text of an entry piece by piece. What it unpacks to is what it says it does, or reading it fails. */
async function* unpacked(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of await zip.openReadStreamPromise(entry))
    yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Opens the parts of a workbook, no more in all than may be. */
function opener(zip: ZipFile) {
  const paced = reading();
  let size = 0;
  return (entry: Entry): AsyncIterable<string> => {
    size += entry.uncompressedSize;
    if (size > MOST_BYTES) throw unreadable('解压后超过 64 MB');
    return paced(unpacked(zip, entry));
  };
}

async function firstSheet(bytes: Buffer, mostRows: number): Promise<Table> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  if (zip.entryCount > MOST_ENTRIES) throw unreadable('内容过多');
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const open = opener(zip);
  const { sheet, shared, styles, from1904 } = await partsOf(entries, open);
  const texts = shared ? await readSharedTexts(open(shared)) : [];
  const looks = styles ? await readNumberLooks(open(styles), from1904) : () => undefined;
  const within = tableWithin(mostRows);
  await readSheet(open(sheet), { texts, looks }, within);
  return within.table;
}

/** The rows of a workbook's first sheet, read as a stream. Throws `fileUnreadable`. */
export async function readWorkbook(bytes: Buffer, mostRows: number): Promise<Table> {
  try {
    return await firstSheet(bytes, mostRows);
  } catch (error) {
    // What the archive's reader throws is about a file that is none, or not what it says of itself.
    throw error instanceof Refusal ? error : unreadable('不是有效的 Excel 工作簿');
  }
}
