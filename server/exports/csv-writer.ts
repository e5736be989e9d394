import { stringify } from 'csv-stringify/sync';
import type { FileWriter, Head } from './file-writer.ts';

/** UTF-8 with a byte order mark and CRLF, as spreadsheets in China open it without being told. */
export function csvWriter(heads: readonly Head[]): FileWriter {
  const lines = (rows: readonly (readonly string[])[]) =>
    Buffer.from(
      stringify(
        rows.map((row) => [...row]),
        { record_delimiter: 'windows', quoted_match: /[\r\n]/ },
      ),
    );
  return {
    start: async () => Buffer.concat([Buffer.from('\ufeff'), lines([heads.map(({ label }) => label)])]),
    rows: async (rows) => lines(rows.map((row) => row.map(({ text }) => text))),
    end: async () => Buffer.alloc(0),
    close: () => undefined,
  };
}
