import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageAccounts } from '#contract/accounts.ts';
import { contract } from '#contract/all.ts';
import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ExportFormat, exportFormats, isExportable } from '#contract/export-formats.ts';
import type { NounName } from '#contract/ref.ts';
import { requestFor } from '#contract/request.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { namedRows } from '#server/db/noun-rows.ts';
import { cellOf, cellsOf, valueAt } from '#server/exports/cells.ts';
import { exportColumns, nounsIn, rowsBelow } from '#server/exports/columns.ts';
import { csvWriter } from '#server/exports/csv-writer.ts';
import { nameOf } from '#server/exports/export-list.ts';
import { rowsWriter } from '#server/exports/written-rows.ts';
import { xlsxWriter } from '#server/exports/xlsx-writer.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { unzipped } from '#server/testing/unzip.ts';

const MANY = 5_432;
/** Texts as somebody may write them: formulas, quotes, what stands between values, nothing. */
const texts = [
  '=1+1',
  'a,"b"\r\nc',
  '一\u001f二\u001e三',
  ' ＝x  y ',
  '',
  "it's",
  '\\',
  '期号 20260101-7',
  '0.10',
  '中\t文',
];

let server: TestServer;
let userId: number;
beforeAll(async () => {
  server = await startTestServer();
  const { owner } = server.database;
  ({ userId } = await buildUser(server.db, { balance: '7.5', nickName: '说"你,好"' }));
  await buildUser(server.db, { balance: '9', nickName: '=x\u001f', realName: '＋一', email: '@b' });
  const text = sql`nullif((${texts}::text[])[1 + n % ${texts.length}::int], '')`;
  const numbers = sql`generate_series(1, ${MANY}::int) n`;
  await sql`insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
      "desc", "createTime", hash)
    select ${userId}::bigint, 1 + n, 0, 123456789012.3456 + n, 123456789012.3456 + n, 'IN', case when n % 3 = 0 then 'WIN' else 'RECHARGE' end,
      case when n % 4 > 0 then 'B' || n end, ${text}, now() - n * interval '1 minute', '\\x00' from ${numbers}`.execute(
    owner,
  );
  await sql`update account set "lastSeq" = ${MANY + 1}::bigint where "userId" = ${userId}`.execute(owner);
  await sql`insert into deposit ("userId", amount, "usdtAmount", "bankOrderNo", "fromName", "fromAccountNo", type)
    select ${userId}::bigint, n, nullif(n % 3, 0), 'D' || n, ${text}, ${text}, 'BANK_TRANSFER' from generate_series(1, 40) n`.execute(
    owner,
  );
  await sql`insert into withdrawal ("userId", amount, "receiveAccountNo", "receiveRealName", "receiveAlias")
    select ${userId}::bigint, round(n / 10.0, 1), coalesce(${text}, '1'), ${text}, ${text} from generate_series(1, 40) n`.execute(
    owner,
  );
  const gameId = await buildGame(server.db, { openRate: 60 });
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}::bigint, 'p' || n, now() + n * interval '1 minute', now() + n * interval '2 minutes' from generate_series(1, 40) n`.execute(
    owner,
  );
});
afterAll(() => server.close());

async function bytesOf(endpoint: AnyEndpoint, input: object, format: ExportFormat): Promise<Buffer> {
  const { method, url, contentType, body } = requestFor(endpoint, input as never);
  const answer = await fetch(server.origin + url, {
    ...{ method, body },
    headers: {
      accept: exportFormats[format],
      authorization: `Bearer ${(await server.admin()).token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
    },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** All rows of a list as its own call answers them, those below a row behind it. */
async function rowsOf(endpoint: AnyEndpoint, input: object): Promise<object[]> {
  const paged = 'pageSize' in shapeOf(endpoint.input);
  const { envelope } = await (await server.admin()).call(endpoint, {
    ...input,
    ...(paged ? { pageSize: 9999 } : {}),
  } as never);
  const found: unknown = given(envelope.data);
  const rows = Array.isArray(found) ? found : (found as { data: object[] }).data;
  const withBelow = (row: object): object[] => [row, ...rowsBelow(row).flatMap(withBelow)];
  return rows.flatMap(withBelow);
}

/** The file that those rows make, each value said by itself. */
async function fileOf(endpoint: AnyEndpoint, rows: readonly object[], format: ExportFormat): Promise<Buffer> {
  const columns = exportColumns(endpoint);
  const names = new Map<NounName, ReadonlyMap<string, string>>();
  for (const noun of new Set(nounsIn(columns)))
    names.set(noun, new Map((await namedRows(server.db, noun)).map(({ id, name }) => [String(id), name])));
  const heads = columns.map((column) => ({ label: column.label, type: cellsOf(column).type }));
  const writer = format === 'csv' ? csvWriter(heads) : xlsxWriter(heads, nameOf(endpoint), rows.length);
  const cells = columns.map((column) => cellOf(column, names, writer.cell));
  const values = rows.map((row) => columns.map(({ path }) => valueAt(path)(row)));
  const start = await writer.start();
  const { bytes } = await writer.rows(rowsWriter(cells, writer.row)(values));
  return Buffer.concat([start, bytes, await writer.end()]);
}

const partsOf = (file: Buffer, format: ExportFormat): string =>
  format === 'csv' ? file.toString() : JSON.stringify([...unzipped(file)]);

/** Asserts that a list's file is made of the rows that its call answers, and tells how many. */
async function expectSame(endpoint: AnyEndpoint, input: object, formats: readonly ExportFormat[]) {
  let rows = await rowsOf(endpoint, input);
  for (const format of formats) {
    const file = partsOf(await bytesOf(endpoint, input, format), format);
    const before = partsOf(await fileOf(endpoint, rows, format), format);
    // Some lists say who is here and what was done last, which is something else by now.
    rows = await rowsOf(endpoint, input);
    if (file !== before) expect(file).toBe(partsOf(await fileOf(endpoint, rows, format), format));
  }
  return rows.length;
}

// A list that must be told what it is of is shown by a dialog and not by a screen.
const lists = Object.entries<AnyEndpoint>(contract).filter(
  ([, endpoint]) => isExportable(endpoint) && endpoint.input.safeParse({}).success,
);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const lately = [`${day(-3)} 03:04:05`, `${day(2)} 00:00:00`];

it.each(lists)('%s answers no field that its contract does not declare', async (_, endpoint) => {
  const declared = Object.keys(shapeOf(rowSchemaOf(endpoint.output)));
  const answered = new Set((await rowsOf(endpoint, {})).flatMap((row) => Object.keys(row)));
  expect([...answered].filter((name) => !declared.includes(name))).toEqual([]);
});

describe('an export holds, byte by byte, what its list answers', () => {
  it.each(lists)('%s', async (_, endpoint) => {
    await expectSame(endpoint, {}, ['csv', 'xlsx']);
  });

  it.each([
    ['the ledger by its time', pageAccountHistory, { sort: 'createTime' }, MANY],
    ['the ledger by its time, backwards', pageAccountHistory, { sort: '-createTime' }, MANY],
    ['the ledger of one player', pageAccountHistory, () => ({ userId }), MANY + 1],
    [
      'a type of the ledger, of some days',
      pageAccountHistory,
      { changeType: 'WIN', createTimeRange: lately },
      1_000,
    ],
    ['a part of a username', pageAccountHistory, { username: 'player-' }, MANY],
    ['deposits by amount', pageDeposits, { sort: 'amount' }, 40],
    ['deposits of a status', pageDeposits, { status: 'PROCESSING', createTimeRange: lately }, 40],
    ['withdrawals by number, backwards', pageWithdrawals, { sort: 'id' }, 40],
    ['plans by status', pageDrawPlans, { status: 'WAITTING' }, 40],
    ['players by a part of a name', pageUsers, { nickName: 'x' }, 1],
    ['accounts by a part of a name', pageAccounts, { username: 'player' }, 2],
    ['nothing', pageDeposits, { bankOrderNo: 'none' }, 0],
  ] as const)('%s', async (_, endpoint, input, least) => {
    const asked = typeof input === 'function' ? input() : input;
    expect(await expectSame(endpoint, asked, ['csv'])).toBeGreaterThanOrEqual(least);
  });
});
