const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheetMl = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

const contentTypes = (sheets: number): string =>
  `${declaration}<Types xmlns="${packages}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${mime}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${mime}.styles+xml"/>` +
  numbers(sheets)
    .map((n) => `<Override PartName="/${sheetPath(n)}" ContentType="${mime}.worksheet+xml"/>`)
    .join('') +
  '</Types>';

const rootRelations =
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbook = (names: readonly string[]): string =>
  `${declaration}<workbook xmlns="${sheetMl}" xmlns:r="${office}"><sheets>` +
  names
    .map((name, place) => `<sheet name="${name}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`)
    .join('') +
  '</sheets></workbook>';

const workbookRelations = (sheets: number): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  numbers(sheets)
    .map((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join('') +
  `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`;

/**
 * Five looks, in this order: plain, head, moment, amount, text. An amount shows all its places: left to itself a spreadsheet rounds it to the
 * eleven signs that it shows of any number. In cells of text `01` stays `01`. Some readers want to be told that the plain one is the usual one.
 */
const styles =
  `${declaration}<styleSheet xmlns="${sheetMl}">` +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="165" formatCode="#,##0.00####"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** Every part of a workbook but its sheets: path and text. `names` are what the sheets are called; they hold no XML. */
export const workbookParts = (names: readonly string[]): [path: string, text: string][] => [
  ['xl/styles.xml', styles],
  ['xl/workbook.xml', workbook(names)],
  ['xl/_rels/workbook.xml.rels', workbookRelations(names.length)],
  ['_rels/.rels', rootRelations],
  ['[Content_Types].xml', contentTypes(names.length)],
];
