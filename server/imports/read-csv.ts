import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { PIECE_BYTES, reading } from './pace.ts';
import { cellTooLong, LONGEST_CELL, MOST_COLUMNS, type Table, tableWithin, unreadable } from './table.ts';

/** Spreadsheets in China write CSV as GBK unless told otherwise. */
function* textOf(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'gb18030');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

/** The rows of a CSV file, read piece by piece. Throws `fileUnreadable`, and reads no further than to where that is known. */
export async function readCsv(bytes: Buffer, mostRows: number): Promise<Table> {
  const within = tableWithin(mostRows);
  let number = 1;
  const parser = parse({
    relax_column_count: true,
    // What ends a row is not looked for: the parser takes six times as long while it has found none.
    record_delimiter: ['\r\n', '\n', '\r'],
    // No row of cells that may be is as many bytes, so that the cell it breaks off in is one too long.
    max_record_size: (MOST_COLUMNS + 3) * LONGEST_CELL,
    cast: (cell, { column }) => {
      within.demandCell({ row: number, column: Number(column), length: cell.length });
      return cell;
    },
    on_record: (row: string[]) => {
      within.add(row, number);
      number += 1;
      return null;
    },
  });
  try {
    await pipeline(reading()(textOf(bytes)), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw error.code === 'CSV_MAX_RECORD_SIZE'
      ? cellTooLong(number)
      : unreadable(`第 ${number} 行的引号没有配对`);
  }
  return within.table;
}
