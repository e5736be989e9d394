import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { importTypes } from '#contract/imports.ts';
import { addNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { addUser } from '#contract/users.ts';
import { ZipWriter } from '#server/exports/zip-writer.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

/** As much as a file may have. */
const MOST = 8_388_600;
/**
 * Nobody else waits for longer; told in processor time, so that what else the machine does is not counted. Sending 8 MB and taking them in,
 * both in this process, holds it for 100 to 200 by itself; parsed in one go they hold it for seconds.
 */
const HELD_MS = 400;
/** Of rows that are read to the end, which takes 30 with pauses and 300 without. */
const HELD_BY_ROWS_MS = 150;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Begins to look at how long the event loop is held at once; gives what tells the longest time. */
function holding(): () => number {
  let longest = 0;
  let last = processorMs();
  const timer = setInterval(() => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 2);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/** Sends a table and tells how long it kept everybody else waiting at most, and how much work it was. */
async function watched(endpoint: AnyEndpoint, body: Buffer | string, type: string = importTypes.csv) {
  const held = holding();
  const from = processorMs();
  const { envelope, report } = await sendTable(
    { origin: server.origin, token: admin.token },
    endpoint,
    body,
    { type },
  );
  return { msg: envelope.msg, report, held: held(), spent: processorMs() - from };
}

/** A workbook whose sheet is this XML, with these parts besides. */
async function workbookOf(
  pieces: Iterable<string>,
  besides: Readonly<Record<string, Iterable<string>>> = {},
): Promise<Buffer> {
  const zip = new ZipWriter();
  const parts: Buffer[] = [];
  for (const [name, xml] of Object.entries({ ...besides, 'xl/worksheets/sheet1.xml': pieces })) {
    zip.open(name);
    for (const piece of xml) parts.push(await zip.write(piece));
    parts.push(await zip.shut());
  }
  return Buffer.concat([...parts, zip.finish()]);
}

function* megabytes(count: number, of: string): Generator<string> {
  for (let n = 0; n < count; n += 1) yield of.repeat(Math.floor(1_048_576 / of.length));
}
function* joined(...parts: (string | Iterable<string>)[]): Generator<string> {
  for (const part of parts) yield* typeof part === 'string' ? [part] : part;
}

describe('a CSV file', () => {
  const text = (head: string, of: string, tail = '') =>
    head + of.repeat((MOST - head.length - tail.length) / of.length) + tail;
  it.each([
    ['a cell of GBK without an end', Buffer.alloc(MOST, 0xb5), /超过 20000 个字符的单元格/],
    ['a quoted cell without an end', text('"', 'a'), /超过 20000 个字符的单元格/],
    ['a quoted cell of quotes', text('"', '""', '"'), /超过 20000 个字符的单元格/],
    ['a row of empty cells', text('', ','), /第 1 行超过 100 列/],
    ['rows of nothing', text('昵称\n', '\n'), /不能超过 2000 行/],
    ['a row of cells as long as may be', text('', `${'a'.repeat(20_000)},`), /第 1 行超过 100 列/],
  ])('of %s is refused, and nobody waits for it', async (_, body, reason) => {
    const { msg, held } = await watched(addUser, body);
    expect(msg).toMatch(reason);
    expect(held, 'milliseconds held at once').toBeLessThan(HELD_MS);
  });

  it.each([
    ['head', `昵称${`,1${' '.repeat(19_000)}1`.repeat(99)}\r\n甲\r\n`],
    ['column of figures', `昵称,等级\r\n${`甲,1${' '.repeat(19_000)}1\r\n`.repeat(400)}`],
  ])('of a %s with blanks in it keeps nobody waiting', async (_, body) => {
    const { report, held } = await watched(addUser, body);
    expect(report.faults.length).toBeGreaterThan(90);
    expect(held, 'milliseconds held at once').toBeLessThan(HELD_MS);
  });

  it('of many long rows is read and checked while others have their turn', async () => {
    await admin.call(addNewsCategory, { name: '长文' });
    const rows = Array.from({ length: 500 }, (_, n) => `长文,第${n}篇,"${'新'.repeat(3_900)}",是\r\n`);
    const body = `新闻分类,标题,内容,重要\r\n${rows.join('')}`;
    expect(Buffer.byteLength(body)).toBeGreaterThan(5_800_000);
    const { report, held } = await watched(addNews, body);
    expect(report).toEqual({ rows: 500, faults: [] });
    expect(held, 'milliseconds held at once').toBeLessThan(HELD_BY_ROWS_MS);
  });
});

describe('a workbook', () => {
  const type = importTypes.xlsx;
  const sheet = '<worksheet><sheetData>';
  it.each([
    ['an attribute without an end', joined(sheet, '<row r="1" x="', megabytes(60, 'a'), '"/>')],
    ['a tag of a million attributes', joined(sheet, '<row ', attributes(1_000_000), '/>')],
    ['tags in tags', joined(sheet, megabytes(60, '<a>'))],
    ['tags beside tags', joined(sheet, megabytes(60, '<a/>'))],
    ['a row of cells without an end', joined(sheet, '<row>', megabytes(60, '<c/>'))],
    ['a declaration without an end', joined(sheet, '<!', megabytes(1, 'a'))],
    ['a declaration behind blanks', joined(sheet, '<', megabytes(1, ' '), '!', megabytes(1, 'a'))],
    ['a comment without an end', joined(sheet, '<!--', megabytes(60, 'a'))],
    ['a cell without an end', joined(sheet, '<row><c t="str"><v>', megabytes(60, 'a'), '</v></c></row>')],
    ['entities', joined(sheet, '<row><c t="str"><v>', megabytes(60, '&amp;'), '</v></c></row>')],
  ])(
    'with %s is refused within seconds, and nobody waits for it',
    async (_, pieces) => {
      const body = await workbookOf(pieces);
      expect(body.length).toBeLessThan(MOST);
      const { msg, held, spent } = await watched(addUser, body, type);
      expect(msg).toMatch(/^无法读取该文件/);
      expect(held, 'milliseconds held at once').toBeLessThan(HELD_MS);
      expect(spent, 'milliseconds of work').toBeLessThan(6_000);
    },
    60_000,
  );

  it.each([
    ['hundreds of thousands of sheets', 'workbook.xml', '<sheet r:id="a"/>'],
    ['brackets in a format', 'styles.xml', `<numFmt formatCode="${'['.repeat(50_000)}"/>`],
    ['formats of brackets', 'styles.xml', `<numFmt formatCode="${'['.repeat(255)}"/>`],
  ])('with %s keeps nobody waiting', async (_, name, of) => {
    const besides = { [`xl/${name}`]: joined('<a>', megabytes(3, of), '</a>') };
    const { msg, held } = await watched(
      addUser,
      await workbookOf([sheet, '</sheetData></worksheet>'], besides),
      type,
    );
    expect(msg).toBe('无法读取该文件：表头下面没有任何一行');
    expect(held, 'milliseconds held at once').toBeLessThan(HELD_MS);
  });

  it('may have comments, marked text and what others wrote in them', async () => {
    const body = await workbookOf([
      '<?xml version="1.0"?><worksheet><!-- 注 --><sheetData>',
      '<row r="1"><c t="inlineStr"><is><t>昵称</t></is></c></row>',
      '<row r="2"><c t="str"><v><![CDATA[a < b]]></v></c></row></sheetData></worksheet>',
    ]);
    const { report } = await watched(addUser, body, type);
    expect(report).toEqual({ rows: 1, faults: [] });
  });
});

function* attributes(count: number): Generator<string> {
  for (let n = 0; n < count; n += 1_000)
    yield Array.from({ length: 1_000 }, (_, at) => `a${n + at}=""`)
      .join(' ')
      .concat(' ');
}
