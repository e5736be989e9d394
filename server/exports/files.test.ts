import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { pageDrawRecords } from '#contract/draw-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { pageGames } from '#contract/games.ts';
import { listMenus } from '#contract/menus.ts';
import { pageNews } from '#contract/news.ts';
import { listOperators } from '#contract/operators.ts';
import { pageRebateRuns } from '#contract/rebates.ts';
import { listRoles } from '#contract/roles.ts';
import { pageSlips } from '#contract/slips.ts';
import { given } from '#server/testing/given.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { unzipped } from '#server/testing/unzip.ts';
import { type CellType, cellOf, neutralised, restored, valueAt } from './cells.ts';
import { type ExportColumn, exportColumns } from './columns.ts';
import { csvWriter } from './csv-writer.ts';
import type { FileWriter } from './file-writer.ts';
import { type Say, sayingIn } from './saying.ts';
import { serialOf } from './serials.ts';
import { cellXml } from './sheet-xml.ts';
import { rowsWriter } from './written-rows.ts';
import { xlsxWriter } from './xlsx-writer.ts';

type Cell = readonly [type: CellType, text: string];
const text = (value: string): Cell => ['text', value];

async function fileOf(writer: FileWriter, ...pages: Cell[][][]): Promise<Buffer> {
  const pieces = [await writer.start()];
  for (const page of pages) {
    const written = rowsWriter(
      (page[0] ?? []).map(() => String),
      writer.row,
    );
    const cells = page.map((row) => row.map((cell) => writer.cell(...cell)));
    pieces.push((await writer.rows(written(cells))).bytes);
  }
  return Buffer.concat([...pieces, await writer.end()]);
}

const column = (kind: ExportColumn['kind']): ExportColumn => ({
  ...{ label: '', path: [], kind, words: undefined, say: undefined, names: undefined, parts: [] },
  ...{ between: '；', before: '' },
});

describe('an exported cell', () => {
  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '＋1', '－1', '＠x'])(
    'is no formula: %j',
    (value) => {
      expect(neutralised(value)).toBe(`'${value}`);
    },
  );

  it('is left as it is where nothing can be taken for a formula', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const safe = neutralised(value);
        expect(safe).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect([value, `'${value}`]).toContain(safe);
        expect(restored(safe)).toBe(value);
      }),
      { seed: randomSeed },
    );
    for (const value of ['', '正文', "it's", "'引号'", '1-2', '0012']) expect(neutralised(value)).toBe(value);
  });

  it('tells its own apostrophe from one that was there', () => {
    const sign = fc.constantFrom("'", '=', '-', ' ', '\t', 'a', '＝');
    fc.assert(
      fc.property(fc.string({ unit: sign }), (value) => {
        expect(restored(neutralised(value))).toBe(value);
      }),
      { seed: randomSeed },
    );
  });

  it('shows words for choices, names for ids, and what a list is made of', () => {
    const row = {
      id: 7,
      categoryId: 3,
      title: '=x',
      content: 'a\nb',
      important: true,
      createTime: '2026-01-02 03:04:05',
    };
    const names = new Map([['newsCategory' as const, new Map([['3', '公告']])]]);
    const cellAt = (column: ExportColumn, of: object) =>
      cellOf(column, names, (_, said) => said)(valueAt(column.path)(of));
    expect(exportColumns(pageNews).map((column) => [column.label, cellAt(column, row)])).toEqual([
      ['编号', '7'],
      ['新闻分类', '公告'],
      ['标题', "'=x"],
      ['内容', 'a\nb'],
      ['重要', '是'],
      ['发布时间', '2026-01-02 03:04:05'],
    ]);
    const operator = {
      hasRoles: [
        { id: 1, desc: '客服', name: 'help' },
        { id: 2, desc: '财务', name: 'pay' },
      ],
    };
    const roles = exportColumns(listOperators).find(({ label }) => label === '角色');
    expect(roles && cellAt(roles, operator)).toBe('客服 help；财务 pay');
  });

  it('says what lists in a list are, and yes and no, and leaves nothing out', () => {
    const cell = (endpoint: AnyEndpoint, field: string, row: object, say?: Say) => {
      const column = given(exportColumns(endpoint, say).find(({ path }) => path.join('.') === field));
      return cellOf(column, new Map(), (_, said) => said)(valueAt(column.path)(row));
    };
    const winners = [
      { name: '万位号码', numbers: ['6'], pushes: [] },
      { name: '龙虎', numbers: ['和'], pushes: ['龙', '虎'] },
      { name: '组选三', numbers: [], pushes: [] },
    ];
    expect(cell(pageDrawRecords, 'winners', { winners })).toBe(
      '万位号码 中奖：6；龙虎 中奖：和 退本金：龙、虎；组选三',
    );
    expect(cell(pageDrawRecords, 'winners', { winners }, sayingIn('en'))).toBe(
      '万位号码 Win: 6; 龙虎 Win: 和 Pushed: 龙, 虎; 组选三',
    );
    expect(cell(pageRebateRuns, 'corrected', { corrected: ['2026-11-01', '2026-11-02'] })).toBe(
      '2026-11-01；2026-11-02',
    );
    const line = { playWayName: '任选', selection: '1,2', units: 1, status: 'WON' };
    const lines = [
      { ...line, odds: '1.985' },
      {
        ...line,
        odds: [
          { number: '中二', odds: '20' },
          { number: '中一', odds: '2.5' },
        ],
      },
    ];
    expect(cell(pageSlips, 'lines', { lines })).toBe(
      '任选 1,2 1 1.985 已中奖；任选 1,2 1 中二 20、中一 2.5 已中奖',
    );
    const timeRanges = [{ id: 1, start: '09:00:00', end: '12:00:00', openRate: 300, weekdays: [1, 2] }];
    expect(cell(pageGames, 'timeRanges', { timeRanges })).toBe('09:00:00 12:00:00 300 星期：1、2');
    const parts = [{ count: 2, of: ['0', '1'], repeat: true, ordered: false }];
    expect(cell(pageGames, 'resultRule.parts', { resultRule: { parts } })).toBe(
      '2 号码范围：0、1 可重复：是 分先后：否',
    );
  });

  it('says names that came with the system in English, also where they stand for ids', () => {
    const names = new Map([['menu' as const, new Map([['1', '权限管理']])]]);
    const cell = (endpoint: AnyEndpoint, field: string, row: object) => {
      const column = given(
        exportColumns(endpoint, sayingIn('en')).find(({ path }) => path.join('.') === field),
      );
      return cellOf(column, names, (_, said) => said)(valueAt(column.path)(row));
    };
    expect(cell(listMenus, 'parentId', { parentId: 1 })).toBe('Access');
    expect(cell(listRoles, 'hasMenus', { hasMenus: [{ id: 1 }] })).toBe('Access');
  });

  it('has no column for what lies below a row: that gets rows of its own', () => {
    expect(exportColumns(listMenus).map(({ path }) => path.join('.'))).not.toContain('childrens');
  });
});

describe('a CSV file', () => {
  it('starts with a byte order mark and quotes what needs it', async () => {
    const heads = [{ label: '标题', type: 'text' } as const, { label: '正文', type: 'text' } as const];
    const file = await fileOf(csvWriter(heads), [[text('a,b'), text('说"你\n好"')]], [[text(''), text('x')]]);
    expect(file.toString('utf8')).toBe('\ufeff标题,正文\r\n"a,b","说""你\n好"""\r\n,x\r\n');
  });
});

describe('a workbook', () => {
  const heads = [
    { label: '名称', type: 'text' } as const,
    { label: '金额', type: 'number' } as const,
    { label: '时间', type: 'moment' } as const,
  ];
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    isArray: (name) => name === 'row' || name === 'c',
  });

  it('is well-formed and holds text to the letter, numbers and moments', async () => {
    const value = ' <b>&"\u0001\ud800 _x000D_ 你好\r\n';
    const row: Cell[] = [text(value), ['number', '1234.50'], ['moment', '2026-01-02 12:00:00']];
    const parts = unzipped(await fileOf(xlsxWriter(heads, '订单', 1), [row]));
    for (const [name, xml] of parts) expect(XMLValidator.validate(xml), name).toBe(true);
    const sheet = parser.parse(parts.get('xl/worksheets/sheet1.xml') ?? '');
    const cells = sheet.worksheet.sheetData.row[1].c;
    expect(cells[0].is.t['#text']).toBe(' <b>&"\ufffd _x005F_x000D_ 你好\n');
    expect(cells[1].v).toBe(1234.5);
    expect(cells[2].v).toBe(46_024.5);
    expect(parts.get('xl/workbook.xml')).toContain('name="订单"');
    expect(parts.get('[Content_Types].xml')).toContain('/xl/worksheets/sheet1.xml');
  });

  it.each([
    ['007', ' t="str"><v>007</v></c>'],
    ['=1+1 的“和”', ' t="str"><v>=1+1 的“和”</v></c>'],
    ['a  b', ' t="inlineStr"><is><t xml:space="preserve">a  b</t></is></c>'],
    [' a', ' t="inlineStr"><is><t xml:space="preserve"> a</t></is></c>'],
    ['a&b', ' t="inlineStr"><is><t>a&amp;b</t></is></c>'],
    ['_x0041_', ' t="inlineStr"><is><t>_x005F_x0041_</t></is></c>'],
  ])('writes %j the shortest way that has a place for it', (value, cell) => {
    expect(cellXml('text', value)).toBe(cell);
  });

  it('says in each sheet which row it is, and of each cell where it stands', async () => {
    const columns = Array.from({ length: 28 }, () => ({ label: '列', type: 'text' as const }));
    const rows = Array.from({ length: 23 }, () => columns.map((_, at) => text(at % 2 === 0 ? '' : '字')));
    const parts = unzipped(await fileOf(xlsxWriter(columns, '行', 23, 12), rows.slice(0, 5), rows.slice(5)));
    const letters = [...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), 'AA', 'AB'];
    const placesIn = (sheet: number) =>
      [...(parts.get(`xl/worksheets/sheet${sheet}.xml`) ?? '').matchAll(/<(?:row|c) r="(\w+)"/g)].map(
        ([, place]) => place,
      );
    const placesOf = (count: number) =>
      Array.from({ length: count }, (_, at) => at + 1).flatMap((row) => [
        String(row),
        ...letters.map((letter) => letter + row),
      ]);
    expect([placesIn(1), placesIn(2)]).toEqual([placesOf(13), placesOf(12)]);
  });

  it.each([
    [500_000, '<row r="2"><c r="A2" t="str"><v>字</v></c></row></sheetData>'],
    [500_001, '<row><c t="str"><v>字</v></c></row></sheetData>'],
  ])('of %d rows it says so or lets them follow one another', async (total, end) => {
    const parts = unzipped(await fileOf(xlsxWriter(heads.slice(0, 1), '行', total), [[text('字')]]));
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(end);
  });

  it('goes on in another sheet when one is full, with no row lost', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => [text(`行 ${i}`)]);
    const parts = unzipped(
      await fileOf(xlsxWriter(heads.slice(0, 1), '行', 25, 10), rows.slice(0, 7), rows.slice(7), []),
    );
    const sheets = [...parts.keys()].filter((name) => name.startsWith('xl/worksheets/'));
    expect(sheets).toHaveLength(3);
    const found = sheets.flatMap((name) => [...(parts.get(name) ?? '').matchAll(/行 \d+/g)].map(String));
    expect(found).toEqual(rows.map(([cell]) => cell?.[1]));
  });

  it('shows an amount with all its places, which a spreadsheet left to itself would round', async () => {
    const cells = [column('money'), column('decimal')].map((each) => cellOf(each, new Map(), cellXml));
    expect(cells.map((cell) => cell('12345678901.2345'))).toEqual(
      Array(2).fill(' s="3"><v>12345678901.2345</v></c>'),
    );
    const parts = unzipped(await fileOf(xlsxWriter(heads, '订单', 1), []));
    const styles = parser.parse(parts.get('xl/styles.xml') ?? '').styleSheet;
    expect(styles.cellStyles.cellStyle).toMatchObject({ '@_name': 'Normal', '@_builtinId': '0' });
    const format = styles.cellXfs.xf[3]['@_numFmtId'];
    expect(
      styles.numFmts.numFmt.find((each: Record<string, string>) => each['@_numFmtId'] === format),
    ).toMatchObject({ '@_formatCode': '#,##0.00####' });
  });

  it('counts moments as spreadsheets do', () => {
    expect(serialOf('1900-03-01 00:00:00')).toBe('61');
    expect(serialOf('2026-01-01 00:00:00')).toBe('46023');
    expect(serialOf('2026-01-01 12:00:00')).toBe('46023.5');
    expect(serialOf('2026-01-01 23:59:59')).toBe('46023.9999884259');
    expect(serialOf('1899-12-29 12:00:00')).toBe('-0.5');
  });
});
