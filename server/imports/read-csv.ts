import { CsvError, parse } from 'csv-parse/sync';
import { type Table, tableWithin, unreadable } from './table.ts';

/** Spreadsheets in China write CSV as GBK unless told otherwise. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** The rows of a CSV file. Throws `fileUnreadable`. */
export function readCsv(bytes: Buffer, mostRows: number): Table {
  const within = tableWithin(mostRows);
  let number = 0;
  try {
    parse(textOf(bytes), {
      relax_column_count: true,
      on_record: (row: string[]) => {
        within.add(row, ++number);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(`第 ${number + 1} 行的引号没有配对`);
    throw error;
  }
  return within.table;
}
