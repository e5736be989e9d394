import { cellXml, columnName, FIRST_ROW, rowXml, sheetEnd, sheetStart, xmlText } from './sheet-xml.ts';
import { sheetPath, workbookParts } from './workbook-parts.ts';
import { ZipWriter } from './zip-writer.ts';

/** A sheet of texts. `choices` are what a spreadsheet offers in the cells of each column down to `lastRow`. */
export interface Sheet {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly choices?: readonly (readonly string[])[];
  readonly lastRow?: number;
}

/** Spreadsheets take no longer list in a cell's own rule. */
const LONGEST_LIST = 255;

/** The rules by which cells offer what may stand in them. */
function offered({ choices = [], lastRow = 0 }: Sheet): string {
  const rules = choices.flatMap((words, column) => {
    const list = words.join(',');
    const fits = words.length > 0 && list.length <= LONGEST_LIST && !words.some((word) => /[",]/.test(word));
    if (!fits) return [];
    const cells = `${columnName(column)}${FIRST_ROW}:${columnName(column)}${lastRow}`;
    return [
      `<dataValidation type="list" allowBlank="1" sqref="${cells}"><formula1>"${xmlText(list)}"</formula1></dataValidation>`,
    ];
  });
  return rules.length === 0
    ? ''
    : `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`;
}

function sheetXml(sheet: Sheet): string {
  const heads = sheet.head.map((label) => ({ label, type: 'text' as const }));
  const rows = sheet.rows.map((row, at) =>
    rowXml(
      row.map((text) => cellXml('text', text)),
      FIRST_ROW + at,
    ),
  );
  const [data = '', end = ''] = sheetEnd.split(/(?<=<\/sheetData>)/);
  return sheetStart(heads, { typed: true }) + rows.join('') + data + offered(sheet) + end;
}

/** A small workbook of these sheets, whole at once. */
export async function smallWorkbook(...sheets: readonly Sheet[]): Promise<Buffer> {
  const zip = new ZipWriter();
  try {
    const pieces: Buffer[] = [];
    for (const [place, sheet] of sheets.entries())
      pieces.push(await zip.add(sheetPath(place + 1), sheetXml(sheet)));
    for (const [path, text] of workbookParts(sheets.map(({ name }) => name)))
      pieces.push(await zip.add(path, text));
    return Buffer.concat([...pieces, zip.finish()]);
  } finally {
    zip.close();
  }
}
