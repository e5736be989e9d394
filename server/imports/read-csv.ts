import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { PIECE_BYTES, reading } from './pace.ts';
import { cellTooLong, LONGEST_CELL, MOST_COLUMNS, type Table, tableWithin, unreadable } from './table.ts';

const startsWith = (bytes: Buffer, ...marks: number[]) => marks.every((mark, place) => bytes[place] === mark);

/** Spreadsheets in China write CSV as GBK unless told otherwise; UTF-16 says so itself, by its first two bytes. */
function encodingOf(bytes: Buffer): string {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'gb18030';
}

function* textOf(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

/** What stands between cells: not always a comma, as where that is written within numbers. No column's name has one of these. */
function delimiterOf(bytes: Buffer, encoding: string): string {
  const [head = ''] = new TextDecoder(encoding).decode(bytes.subarray(0, PIECE_BYTES)).split(/[\r\n]/, 1);
  return ['\t', ';'].find((sign) => head.includes(sign)) ?? ',';
}

/** The rows of a CSV file, read piece by piece. Throws `fileUnreadable`, and reads no further than to where that is known. */
export async function readCsv(bytes: Buffer, mostRows: number): Promise<Table> {
  const within = tableWithin(mostRows);
  const encoding = encodingOf(bytes);
  let number = 1;
  const parser = parse({
    delimiter: delimiterOf(bytes, encoding),
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
    await pipeline(reading()(textOf(bytes, encoding)), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw error.code === 'CSV_MAX_RECORD_SIZE'
      ? cellTooLong(number)
      : unreadable(`第 ${number} 行的引号没有配对`);
  }
  return within.table;
}
