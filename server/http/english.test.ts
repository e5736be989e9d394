import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { exportFormats } from '#contract/export-formats.ts';
import { listMenus } from '#contract/menus.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { requestFor } from '#contract/request.ts';
import { pageSettlements } from '#contract/settlements.ts';
import { given } from '#server/testing/given.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { unzipped } from '#server/testing/unzip.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

/** What the English console asks for. */
async function exported<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
  format: 'csv' | 'xlsx' = 'csv',
) {
  const { method, url, contentType, body } = requestFor(endpoint, input);
  const response = await fetch(server.origin + url, {
    method,
    body,
    headers: {
      accept: exportFormats[format],
      'accept-language': 'en',
      authorization: `Bearer ${admin.token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
    },
  });
  const name = decodeURIComponent(response.headers.get('content-disposition')?.split("UTF-8''")[1] ?? '');
  return { name, file: Buffer.from(await response.arrayBuffer()) };
}

const rowsOf = (file: Buffer) => file.toString('utf8').replace('\ufeff', '').split('\r\n').slice(0, -1);

describe('a file for somebody who reads English', () => {
  it('has labels, words and what the server said in English, and what operators wrote as they did', async () => {
    await admin.call(addNewsCategory, { name: '公告' });
    const { name, file } = await exported(pageChangeRecords, {});
    expect(name).toMatch(/^Change record-\d{14}\.csv$/);
    const [head = '', ...rows] = rowsOf(file);
    expect(head).toMatch(/^ID,Time,Operator,Action,Call,Target ID,Outcome,Message,/);
    expect(rows[0]).toMatch(/,admin,Add news category,addNewsCategory,\d+,Done,Added,.*公告/);
  });

  it('names the menus that came with the system', async () => {
    const rows = rowsOf((await exported(listMenus, {})).file);
    expect(rows.find((row) => row.includes('/main/user/deposit-record'))).toContain(',Deposits,');
  });

  it('is a workbook whose sheet is named by signs that a sheet may have', async () => {
    const { file } = await exported(pageSettlements, {}, 'xlsx');
    const book = unzipped(file);
    expect(String(book.get('xl/workbook.xml'))).toContain('name="Settlement"');
    expect(String(book.get('xl/worksheets/sheet1.xml'))).toContain('Slips concerned');
  });
});

it('the change record is found by English nouns and actions too', async () => {
  await admin.call(addNewsCategory, { name: '活动' });
  const found = async (search: object) =>
    given((await admin.call(pageChangeRecords, search)).envelope.data).totalCount;
  for (const [english, chinese] of [
    [{ noun: 'News category' }, { noun: '新闻分类' }],
    [{ summary: 'add NEWS cat' }, { summary: '新增新闻分类' }],
  ] as const) {
    expect(await found(english)).toBeGreaterThan(0);
    expect(await found(english)).toBe(await found(chinese));
  }
  expect(await found({ noun: 'Nothing of the kind' })).toBe(0);
  expect(await found({ summary: 'nothing of the kind' })).toBe(0);
});

it('a table headed in English is imported, with words of either language', async () => {
  await admin.call(addNewsCategory, { name: '通知' });
  const caller = { origin: server.origin, token: admin.token };
  const table = 'News category,Title,Content,Important\r\n通知,one,x,Yes\r\n通知,two,y,否\r\n';
  const kept = await sendTable(caller, addNews, table, { mode: 'keep' });
  expect(kept.envelope).toMatchObject({ success: true, msg: '已导入 2 行' });
  const rows = given((await admin.call(pageNews, {})).envelope.data).data;
  expect(rows.map(({ title, important }) => [title, important])).toEqual([
    ['two', false],
    ['one', true],
  ]);
});
