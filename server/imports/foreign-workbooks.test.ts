import { describe, expect, it } from 'vitest';
import { ZipWriter } from '#server/exports/zip-writer.ts';
import { readWorkbook } from './read-workbook.ts';

/** A workbook of these parts, as another program might have written them. */
async function workbookOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipWriter();
  const pieces: Buffer[] = [];
  for (const [name, xml] of Object.entries(parts)) pieces.push(await zip.add(name, xml));
  return Buffer.concat([...pieces, zip.finish()]);
}

const sheetOf = (cells: string) => `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
const read = async (parts: Readonly<Record<string, string>>) => readWorkbook(await workbookOf(parts), 10);
const readCells = async (cells: string, besides: Readonly<Record<string, string>> = {}) =>
  (await read({ 'xl/worksheets/sheet1.xml': sheetOf(cells), ...besides }))[0];

/** Looks: text, a built-in day, a day and time of its own, red numbers with dashes, two figures at least. */
const styles = `<styleSheet>
  <numFmts count="3">
    <numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot; h:mm;@"/>
    <numFmt numFmtId="177" formatCode="[Red]0.00&quot;dms&quot;\\-;_-* #,##0_-"/>
    <numFmt numFmtId="179" formatCode="00"/>
  </numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="49"/><xf numFmtId="14"/><xf numFmtId="176"/><xf numFmtId="177"/><xf numFmtId="179"/></cellXfs>
</styleSheet>`;

describe('a workbook of another program', () => {
  it('may name its elements with a prefix, and hold those of others', async () => {
    const sheet = `<x:worksheet xmlns:x="main" xmlns:y="other"><x:sheetData><x:row r="1">
      <x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="inlineStr"><x:is><x:t>乙</x:t></x:is></x:c>
      <y:c r="C1"><y:v>1</y:v></y:c></x:row></x:sheetData></x:worksheet>`;
    const shared = '<x:sst xmlns:x="main"><x:si><x:t>甲</x:t></x:si></x:sst>';
    expect(await read({ 'xl/worksheets/sheet1.xml': sheet, 'xl/sharedStrings.xml': shared })).toEqual([
      ['甲', '乙'],
    ]);
  });

  it('has numbers as a spreadsheet shows them, whatever binary made of their sums', async () => {
    const cells = ['9.5059999999999985', '0.30000000000000004', '-1.2100000000000002', '1.3800138E10', '2.0'];
    expect(await readCells(cells.map((text) => `<c><v>${text}</v></c>`).join(''))).toEqual([
      '9.506',
      '0.3',
      '-1.21',
      '13800138000',
      '2',
    ]);
  });

  it('has days and times where its looks say so, as the platform writes them', async () => {
    const cells = [
      ...['<c s="1"><v>46357</v></c>', '<c s="2"><v>46357.52083333334</v></c>', '<c s="2"><v>46357</v></c>'],
      ...[
        '<c s="3"><v>46357</v></c>',
        '<c s="0"><v>46357</v></c>',
        '<c><v>46357</v></c>',
        '<c s="1"><v>0.5</v></c>',
      ],
      '<c s="1" t="str"><v>46357</v></c>',
    ];
    expect(await readCells(cells.join(''), { 'xl/styles.xml': styles })).toEqual([
      ...['2026-12-01', '2026-12-01 12:30:00', '2026-12-01', '46357', '46357', '46357', '0.5', '46357'],
    ]);
    const workbook = '<workbook><workbookPr date1904="1"/></workbook>';
    expect(await readCells(cells[0] ?? '', { 'xl/styles.xml': styles, 'xl/workbook.xml': workbook })).toEqual(
      ['2030-12-02'],
    );
  });

  it('has numbers with the noughts in front that their looks show', async () => {
    const cells = ['1', '12', '123', '1.5', '-1'].map((number) => `<c s="4"><v>${number}</v></c>`);
    expect(await readCells(cells.join(''), { 'xl/styles.xml': styles })).toEqual([
      '01',
      '12',
      '123',
      '1.5',
      '-1',
    ]);
  });

  it('is read from the first sheet that is shown, whatever its part is called', async () => {
    const sheets = ['hidden', 'second', 'third'].map((name, n) => [
      `xl/worksheets/sheet${n + 1}.xml`,
      sheetOf(`<c t="str"><v>${name}</v></c>`),
    ]);
    const targets = ['worksheets/sheet1.xml', '/xl/worksheets/sheet3.xml', 'worksheets/sheet2.xml'];
    const relations = targets.map((target, n) => `<Relationship Id="rId${n + 1}" Target="${target}"/>`);
    expect(
      await read({
        ...Object.fromEntries(sheets),
        'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="甲" state="hidden" r:id="rId1"/>
          <sheet name="乙" r:id="rId2"/><sheet name="丙" r:id="rId3"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
      }),
    ).toEqual([['third']]);
  });
});
