import { rowsWriter } from '#server/exports/written-rows.ts';
import { xlsxWriter } from '#server/exports/xlsx-writer.ts';

/** A workbook of these rows, the first of which is its head. */
export async function testWorkbook([head = [], ...rows]: readonly (readonly string[])[]): Promise<Buffer> {
  const writer = xlsxWriter(
    head.map((label) => ({ label, type: 'text' as const })),
    '导入',
    rows.length,
  );
  const isNumber = (text: string) => /^\d{1,9}$/.test(text);
  const cell = (value: unknown) => {
    const text = `${value ?? ''}`;
    return writer.cell(isNumber(text) ? 'number' : 'text', text);
  };
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const written = rowsWriter(
    Array.from({ length: width }, () => cell),
    writer.row,
  );
  const start = await writer.start();
  return Buffer.concat([start, (await writer.rows(written(rows))).bytes, await writer.end()]);
}
