import type { WriteCell } from './cells.ts';
import type { FileWriter, Head, RowMarks } from './file-writer.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** As RFC 4180 has it. Only a text may have to be quoted. */
const cell: WriteCell = (type, text) => (type === 'text' ? quoted(text) : text);
const SEPARATOR = ',';
const row: RowMarks = { before: (column) => [column === 0 ? '' : SEPARATOR], behind: '\r\n' };

/** UTF-8 with a byte order mark and CRLF, as spreadsheets in China open it without being told. */
export function csvWriter(heads: readonly Head[]): FileWriter {
  return {
    cell,
    row,
    start: async () =>
      Buffer.from(`\ufeff${heads.map(({ label }) => quoted(label)).join(SEPARATOR)}${row.behind}`),
    rows: async (rows) => rows.take(Number.POSITIVE_INFINITY, 1),
    end: async () => Buffer.alloc(0),
    close: () => undefined,
  };
}
