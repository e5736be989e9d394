import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { addAgent } from '#contract/agents.ts';
import { contract } from '#contract/all.ts';
import { releaseApproval } from '#contract/approvals.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { addMenu, listMenus } from '#contract/menus.ts';
import { addNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { addSpider } from '#contract/spiders.ts';
import { addUserNote } from '#contract/user-notes.ts';
import { takeAnchor } from '#server/features/seals/anchor-store.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { buildPhase, buildSlips, builtLine, recordResult } from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';

let server: TestServer;
let admin: TestClient;

/** A slip that was settled, with its plan, record and ledger entries. */
async function buildSettled() {
  const { db } = server;
  const at = await buildPhase(db);
  const { userId } = await buildUser(db, { balance: '100' });
  await buildSlips(db, at, [{ userId, lines: [builtLine('first', '1')] }]);
  await recordResult(db, at, '1,2,3,4,5');
  await settleDue(db);
}

/** Orders of a player, a note on them and an agent who is paid to their account. */
async function buildOrders() {
  const site = server.site();
  const person = { realName: '欧阳修远', phone: '13800138765', email: 'somebody@example.com' };
  const { userId } = await buildUser(server.db, { balance: '100', ...person });
  const order = () => ({ userId, amount: '10', bankOrderNo: randomUUID() });
  const gift = { userId, changeType: 'RECHARGE_GIVE' as const, amount: '1', bizOrderNo: randomUUID() };
  await site.call(postEntries, { entries: [gift] });
  await site.call(placeDeposit, { ...order(), type: 'BANK_TRANSFER' });
  await site.call(placeWithdrawal, { ...order(), receiveAccount: { accountNo: '6222' } });
  await admin.call(addUserNote, { userId, note: '电话里核实过' });
  const agent = { name: `代理 ${randomUUID()}`, userId, rate: '0.01', validFrom: '2026-01-01' };
  await admin.call(addAgent, agent);
}

/** What a second operator has decided on, and who they are to each other. */
async function buildApproval() {
  const { accountId } = await buildUser(server.db);
  await setParam(server.db, 'approval.enabled', 'true');
  const id = waiting(await admin.call(addBalance, { id: accountId, balance: '7' }));
  await second.call(releaseApproval, { id });
  await setParam(server.db, 'approval.enabled', 'false');
}

let second: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  second = (await fullOperator(server)).client;
  await buildSettled();
  await buildOrders();
  await buildApproval();
  await takeAnchor(server.db, createVault(server.config.secret));
  await sql`insert into mail_outbox (template, "to", status) values ('login', 'a@example.com', 'SENT')`.execute(
    server.db,
  );
  await buildPlayWay(admin, ['大', '小']);
  const gameId = await buildGame(server.db);
  const spider = { name: '一个来源', spiderServiceName: 'OpenCodeSpider', url: 'http://mine.example/' };
  await admin.call(addSpider, { gameId, ...spider, enabled: false });
  const categoryId = (await admin.call(addNewsCategory, { name: `分类${randomUUID()}` })).envelope.data ?? 0;
  await admin.call(addNews, { categoryId, title: '标题', content: '内容', important: false });
});
afterAll(() => server.close());

type Row = Record<string, unknown>;

/** What a row says of a field, or the account that it is of. */
const textIn = (row: Row, field: string): unknown =>
  row[field] ?? (row as { account?: Row }).account?.[field] ?? null;

const rowsOf = async (endpoint: AnyEndpoint, input: object): Promise<Row[]> => {
  const paging = 'pageSize' in shapeOf(endpoint.input) ? { pageSize: 1000 } : {};
  const { data } = (await admin.call(endpoint, { ...paging, ...input } as never)).envelope;
  return Array.isArray(data) ? data : ((data as { data?: Row[] } | null)?.data ?? []);
};

/** The search fields of lists that take a text. */
const searches = Object.entries<AnyEndpoint>(contract).flatMap(([name, endpoint]) => {
  const { kind, input, access, verb } = endpoint;
  const isList = kind === 'query' && verb === 'POST' && typeof access === 'object';
  if (!isList || !/^(page|list)/.test(name)) return [];
  return Object.entries(shapeOf(input))
    .filter(([, field]) => ['text', 'longText'].includes(metaOf(field).kind ?? ''))
    .map(([field, schema]) => [name, field, metaOf(schema).match ?? 'part', endpoint] as const);
});

/** What finds a text, and what must not, by how much of it the field says it takes. */
const words = {
  part: (text: string) => ({ finds: text.slice(1, -1), misses: `${text}!` }),
  beginning: (text: string) => ({ finds: text.slice(0, -1), misses: text.slice(1) }),
  whole: (text: string) => ({ finds: text, misses: text.slice(0, -1) }),
} as const;

const notThere: string[] = [];

describe('a text is searched for as its field says', () => {
  it.each(searches)('%s by %s (%s)', async (name, field, match, endpoint) => {
    const rows = await rowsOf(endpoint, {});
    const row = rows.find((each) => String(textIn(each, field) ?? '').length > 2);
    if (!row) return void notThere.push(`${name} ${field}`);
    const said = String(textIn(row, field));
    const { finds, misses } = words[match](said);
    const values = async (text: string) =>
      (await rowsOf(endpoint, { [field]: text })).map((each) => String(textIn(each, field)));
    expect(await values(finds), finds).toContain(said);
    expect(await values(misses), misses).not.toContain(said);
  });

  it('of all of them that rows of their lists tell', () => {
    // The phase whose play ways are listed, roles’ names, and what is too short or not in a row.
    expect(notThere).toEqual([
      ...['pageChangeRecords noun', 'pageChangeRecords targetId', 'listExposure phase'],
      ...['listOperators desc', 'listOperators name'],
    ]);
  });

  it('whatever its case, menus too, which no statement searches', async () => {
    await admin.call(addMenu, { type: 'FOLDER', title: 'BI 报表' });
    expect(await rowsOf(listMenus, { title: 'bi' })).toMatchObject([{ title: 'BI 报表' }]);
  });
});
