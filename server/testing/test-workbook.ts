import { xlsxWriter } from '#server/exports/xlsx-writer.ts';

/** A workbook of these rows, the first of which is its head. */
export async function testWorkbook([head = [], ...rows]: readonly (readonly string[])[]): Promise<Buffer> {
  const writer = xlsxWriter(
    head.map((label) => ({ label, type: 'text' as const })),
    '导入',
  );
  const isNumber = (text: string) => /^\d{1,9}$/.test(text);
  const cells = rows.map((row) => row.map((text) => writer.cell(isNumber(text) ? 'number' : 'text', text)));
  return Buffer.concat([await writer.start(), await writer.rows(cells), await writer.end()]);
}
