import type { FileWriter, Head } from './file-writer.ts';
import { bareRows, cellXml, FIRST_ROW, placedRows, sheetEnd, sheetStart } from './sheet-xml.ts';
import { sheetPath, workbookParts } from './workbook-parts.ts';
import type { Lot, WrittenRows } from './written-rows.ts';
import { ZipWriter } from './zip-writer.ts';

/** A sheet ends at 1,048,576 rows with its head; a part of the archive at 4 GiB. */
const ROWS_PER_SHEET = 1_000_000;
const BYTES_PER_SHEET = 2 ** 31;
/** Programs that want to be told where each cell stands hold a sheet as one text, which no longer one fits into; saying so takes a third more time, and three quarters more room. */
const MOST_PLACED = 500_000;

/**
 * A workbook written as a stream, in memory that does not grow with it. Rows beyond what a sheet holds go on in the next
 * one. `total` is how many there will be; `rowsPerSheet` is for tests.
 */
export function xlsxWriter(
  heads: readonly Head[],
  name: string,
  total: number,
  rowsPerSheet = ROWS_PER_SHEET,
): FileWriter {
  const marks = total > MOST_PLACED ? bareRows : placedRows;
  const zip = new ZipWriter();
  let sheets = 0;
  let rowsInSheet = 0;

  const names = () => Array.from({ length: sheets }, (_, at) => (at > 0 ? `${name} ${at + 1}` : name));
  const openSheet = async (): Promise<Buffer> => {
    sheets++;
    rowsInSheet = 0;
    zip.open(sheetPath(sheets));
    return zip.write(sheetStart(heads, { marks }));
  };
  const shutSheet = async (): Promise<Buffer> => Buffer.concat([await zip.write(sheetEnd), await zip.shut()]);

  async function written(rows: WrittenRows): Promise<Lot> {
    const pieces: Buffer[] = [];
    let all = 0;
    while (true) {
      const isFull = rowsInSheet >= rowsPerSheet || zip.size >= BYTES_PER_SHEET;
      const before = isFull ? 0 : rowsInSheet;
      const lot = rows.take(rowsPerSheet - before, FIRST_ROW + before);
      if (lot.rows === 0) return { bytes: Buffer.concat(pieces), rows: all };
      if (isFull) pieces.push(await shutSheet(), await openSheet());
      pieces.push(await zip.write(lot.bytes));
      rowsInSheet += lot.rows;
      all += lot.rows;
    }
  }

  return {
    cell: cellXml,
    row: marks,
    start: openSheet,
    rows: written,
    end: async () => {
      const pieces = [await shutSheet()];
      for (const [path, text] of workbookParts(names())) pieces.push(await zip.add(path, text));
      return Buffer.concat([...pieces, zip.finish()]);
    },
    close: () => zip.close(),
  };
}
