import type { Cell } from './cells.ts';
import type { FileWriter, Head } from './file-writer.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line, as RFC 4180 has it. Only a text may have to be quoted. */
function lineOf(cells: readonly Cell[]): string {
  let line = '';
  let before = '';
  for (const { type, text } of cells) {
    line += before + (type === 'text' ? quoted(text) : text);
    before = ',';
  }
  return `${line}\r\n`;
}

/** UTF-8 with a byte order mark and CRLF, as spreadsheets in China open it without being told. */
export function csvWriter(heads: readonly Head[]): FileWriter {
  return {
    start: async () =>
      Buffer.from(`\ufeff${lineOf(heads.map(({ label }) => ({ type: 'text', text: label })))}`),
    rows: async (rows) => {
      let lines = '';
      for (const row of rows) lines += lineOf(row);
      return Buffer.from(lines);
    },
    end: async () => Buffer.alloc(0),
    close: () => undefined,
  };
}
