import type { FileWriter, Head } from './file-writer.ts';
import { cellXml, rowXml, sheetEnd, sheetStart } from './sheet-xml.ts';
import { sheetPath, workbookParts } from './workbook-parts.ts';
import { ZipWriter } from './zip-writer.ts';

/** A sheet ends at 1,048,576 rows with its head; a part of the archive at 4 GiB. */
const ROWS_PER_SHEET = 1_000_000;
const BYTES_PER_SHEET = 2 ** 31;

/**
 * A workbook written as a stream, in memory that does not grow with it. Rows beyond what a sheet holds go on in the next
 * one. `rowsPerSheet` is for tests.
 */
export function xlsxWriter(heads: readonly Head[], name: string, rowsPerSheet = ROWS_PER_SHEET): FileWriter {
  const zip = new ZipWriter();
  let sheets = 0;
  let rowsInSheet = 0;

  const names = () => Array.from({ length: sheets }, (_, at) => (at > 0 ? `${name} ${at + 1}` : name));
  const openSheet = async (): Promise<Buffer> => {
    sheets++;
    rowsInSheet = 0;
    zip.open(sheetPath(sheets));
    return zip.write(sheetStart(heads));
  };
  const shutSheet = async (): Promise<Buffer> => Buffer.concat([await zip.write(sheetEnd), await zip.shut()]);

  async function written(rows: Iterable<readonly string[]>): Promise<Buffer[]> {
    const pieces: Buffer[] = [];
    let xml = '';
    for (const row of rows) {
      if (rowsInSheet >= rowsPerSheet || zip.size >= BYTES_PER_SHEET) {
        pieces.push(await zip.write(xml), await shutSheet(), await openSheet());
        xml = '';
      }
      xml += rowXml(row);
      rowsInSheet++;
    }
    if (xml !== '') pieces.push(await zip.write(xml));
    return pieces;
  }

  return {
    cell: cellXml,
    start: openSheet,
    rows: async (rows) => Buffer.concat(await written(rows)),
    end: async () => {
      const pieces = [await shutSheet()];
      for (const [path, text] of workbookParts(names())) pieces.push(await zip.add(path, text));
      return Buffer.concat([...pieces, zip.finish()]);
    },
    close: () => zip.close(),
  };
}
