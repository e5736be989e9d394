import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Refusal } from '#server/refusal.ts';
import { reading } from './pace.ts';
import { readSharedTexts, readSheet } from './sheet-reader.ts';
import { type Table, tableWithin, unreadable } from './table.ts';

const MOST_ENTRIES = 1_000;
/** Unpacked, of all that is read together: a small file must not grow into gigabytes. */
const MOST_BYTES = 64 * 1_048_576;

const SHARED = 'xl/sharedStrings.xml';
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;

/** The parts of the workbook that are read: its texts, and its first sheet. */
async function partsOf(zip: ZipFile): Promise<{ shared: Entry | undefined; sheet: Entry }> {
  if (zip.entryCount > MOST_ENTRIES) throw unreadable('内容过多');
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const byNumber = (entry: Entry): number => Number(/\d+/.exec(entry.fileName)?.[0] ?? 0);
  const sheets = entries.filter(({ fileName }) => SHEET.test(fileName));
  const sheet = sheets.toSorted((a, b) => byNumber(a) - byNumber(b))[0];
  if (!sheet) throw unreadable('不是 Excel 工作簿');
  return { shared: entries.find(({ fileName }) => fileName === SHARED), sheet };
}

/** The text of an entry piece by piece. What it unpacks to is what it says it does, or reading it fails. */
async function* unpacked(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of await zip.openReadStreamPromise(entry))
    yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function firstSheet(bytes: Buffer, mostRows: number): Promise<Table> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const { shared, sheet } = await partsOf(zip);
  const size = sheet.uncompressedSize + (shared?.uncompressedSize ?? 0);
  if (size > MOST_BYTES) throw unreadable('解压后超过 64 MB');
  const paced = reading();
  const texts = shared ? await readSharedTexts(paced(unpacked(zip, shared))) : [];
  const within = tableWithin(mostRows);
  await readSheet(paced(unpacked(zip, sheet)), texts, within);
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
