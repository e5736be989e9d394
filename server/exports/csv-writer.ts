import type { WriteCell } from './cells.ts';
import type { FileWriter, Head } from './file-writer.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** As RFC 4180 has it. Only a text may have to be quoted. */
const cell: WriteCell = (type, text) => (type === 'text' ? quoted(text) : text);
const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** UTF-8 with a byte order mark and CRLF, as spreadsheets in China open it without being told. */
export function csvWriter(heads: readonly Head[]): FileWriter {
  return {
    cell,
    start: async () => Buffer.from(`\ufeff${lineOf(heads.map(({ label }) => quoted(label)))}`),
    rows: async (rows) => {
      let lines = '';
      for (const row of rows) lines += lineOf(row);
      return Buffer.from(lines);
    },
    end: async () => Buffer.alloc(0),
    close: () => undefined,
  };
}
