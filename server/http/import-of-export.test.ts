import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportFormat, exportFormats } from '#contract/export-formats.ts';
import type { ImportTemplate } from '#contract/imports.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { requestFor } from '#contract/request.ts';
import { addUser } from '#contract/users.ts';
import { csvWriter } from '#server/exports/csv-writer.ts';
import { ZipWriter } from '#server/exports/zip-writer.ts';
import { readCsv } from '#server/imports/read-csv.ts';
import { readWorkbook } from '#server/imports/read-workbook.ts';
import { given } from '#server/testing/given.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { testWorkbook } from '#server/testing/test-workbook.ts';
import { unzipped } from '#server/testing/unzip.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const formats = ['csv', 'xlsx'] as const satisfies readonly ExportFormat[];

const newsOf = async (categoryId: number) => {
  const rows = given((await admin.call(pageNews, { categoryId })).envelope.data).data;
  return rows.map(({ title, content, important }) => ({ title, content, important }));
};

/** The cells of a list's file. */
async function exported(categoryId: number, format: ExportFormat) {
  const { url, body } = requestFor(pageNews, { categoryId });
  const headers = {
    accept: exportFormats[format],
    authorization: `Bearer ${admin.token}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const answer = await fetch(server.origin + url, { method: 'POST', body, headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return format === 'csv' ? readCsv(bytes, 100) : readWorkbook(bytes, 100);
}

/** A file of these cells, as they are. */
const fileOf = async (cells: readonly (readonly string[])[], format: ExportFormat) =>
  format === 'xlsx'
    ? testWorkbook(cells)
    : Buffer.from(
        cells.map((row) => row.map((cell) => csvWriter([]).cell('text', cell)).join(',')).join('\r\n'),
      );

/** What an export makes safe, escapes or could lose. */
const texts = [
  ...['+8613800138000', '-5%优惠', '=1+1', '@all', '＝1', "'=1", "''", "'引号'", '0012', '1e5'],
  ...['_x000D_', '_x005F_', '"a",b', 'a\\b', '100%_', 'null', '__proto__', '<b>&amp;</b>', '𠮷👨‍👩‍👧e\u0301'],
];
const contents = ['　　段首空两格。\n　　第二段。', '\t=1', ' =1\n', '第一行\n\n- 第三行\n'];

describe('a file that was exported', () => {
  it.each(formats)('as %s gives the same rows when it is imported', async (format) => {
    const [from, to] = ['导出', '导入'].map((word) => `${word} ${format}`);
    const category = async (name: string) =>
      given((await admin.call(addNewsCategory, { name })).envelope.data);
    const [there, here] = [await category(String(from)), await category(String(to))];
    for (const title of texts) await admin.call(addNews, { categoryId: there, title, content: title });
    for (const content of contents) await admin.call(addNews, { categoryId: there, title: '内容', content });
    const [head = [], ...rows] = await exported(there, format);
    const wanted = ['标题', '内容', '重要'].map((label) => head.indexOf(label));
    const moved = rows.toReversed().map((row) => [String(to), ...wanted.map((at) => row[at] ?? '')]);
    const file = await fileOf([['新闻分类', '标题', '内容', '重要'], ...moved], format);
    const { envelope } = await sendTable({ origin: server.origin, token: admin.token }, addNews, file, {
      type: exportFormats[format],
      mode: 'keep',
    });
    expect(envelope.msg).toBe(`已导入 ${texts.length + contents.length} 行`);
    expect(await newsOf(here)).toEqual(await newsOf(there));
  });
});

it('a template keeps what is typed as it is typed: 01 is no 1, and a day no number', async () => {
  const { envelope } = await sendTable({ origin: server.origin, token: admin.token }, addUser, '', {
    mode: 'template',
    type: exportFormats.xlsx,
  });
  const { workbook } = envelope.data as unknown as ImportTemplate;
  const parts = unzipped(Buffer.from(workbook, 'base64'));
  const columns = String(parts.get('xl/worksheets/sheet1.xml')).match(/<col [^>]*>/g) ?? [];
  const looks =
    String(parts.get('xl/styles.xml'))
      .split('<cellXfs')[1]
      ?.match(/<xf[^>]*>/g) ?? [];
  expect(columns.length).toBeGreaterThan(5);
  for (const column of columns) {
    const look = /style="(\d+)"/.exec(column)?.[1];
    // 49 is how workbooks number the format of text.
    expect(look && looks[Number(look)], column).toContain('numFmtId="49"');
  }
});

it('a workbook’s texts are what its escapes stand for, and whole numbers keep all their digits', async () => {
  const zip = new ZipWriter();
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const cells =
    '<c t="s"><v>0</v></c><c t="str"><v>_x0041_</v></c><c><v>1234567890123456789</v></c><c><v>0.10000000000000001</v></c>';
  const pieces = [
    await zip.add('xl/sharedStrings.xml', '<sst><si><t>第一行_x000D_\n_x005F_x000D_</t></si></sst>'),
    await zip.add('xl/worksheets/sheet1.xml', sheet(`<row>${cells}</row>`)),
    zip.finish(),
  ];
  expect(await readWorkbook(Buffer.concat(pieces), 10)).toEqual([
    ['第一行\r\n_x000D_', 'A', '1234567890123456789', '0.1'],
  ]);
});
