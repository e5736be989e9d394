import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { bareSchema, shapeOf } from '#contract/row-schema.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { sortedRows } from './sorted-rows.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  for (const balance of ['7.5', '120', '9']) await buildUser(server.db, { balance });
});
afterAll(() => server.close());

/** What each list of the contract offers to be sorted by. */
const offers = Object.entries<AnyEndpoint>(contract).flatMap(([name, endpoint]) => {
  const { sort } = shapeOf(endpoint.input);
  const schema = sort && bareSchema(sort);
  const ways = schema && 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  return ways.map((way) => [name, String(way), endpoint] as const);
});

type Row = Record<string, unknown>;
const rowsIn = (data: unknown): Row[] =>
  Array.isArray(data) ? data : ((data as { data: Row[] }).data ?? []);

const rowsOf = async (endpoint: AnyEndpoint, input: object): Promise<Row[]> => {
  const paging = 'pageSize' in shapeOf(endpoint.input) ? { pageSize: 9999 } : {};
  const { envelope } = await admin.call(endpoint, { ...paging, ...input } as never);
  expect(envelope.success, envelope.msg ?? '').toBe(true);
  return rowsIn(envelope.data);
};

const isComparable = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && /^(-?\d+(\.\d+)?|\d{4}-\d\d-\d\d( .*)?)$/.test(value));
const numberOf = (value: unknown): number =>
  Number.isNaN(Number(value)) ? Date.parse(`${String(value).replace(' ', 'T')}Z`) : Number(value);

describe('every list', () => {
  it('offers something to be sorted by where it is worth it', () => {
    expect(new Set(offers.map(([name]) => name)).size).toBeGreaterThan(25);
  });

  it.each(offers)('%s in the order of %s', async (_, way, endpoint) => {
    const column = way.replace('-', '');
    const [sorted, whole] = [await rowsOf(endpoint, { sort: way }), await rowsOf(endpoint, {})];
    expect(sorted.length).toBe(whole.length);
    const values = sorted.map((row) => row[column]).filter((value) => value !== null);
    // What is a column of its rows is what the contract calls it.
    if (sorted[0]) expect(Object.keys(sorted[0])).toContain(column);
    if (!values.every(isComparable)) return;
    const numbers = values.map(numberOf);
    const up = numbers.toSorted((one, other) => one - other);
    expect(numbers).toEqual(way.startsWith('-') ? up.toReversed() : up);
  });
});

it('words stand as in a Chinese dictionary, and what is missing last, whichever way round', async () => {
  const categoryId = (await admin.call(addNewsCategory, { name: '排序' })).envelope.data ?? 0;
  for (const title of ['丙', '甲', '乙'])
    await admin.call(addNews, { categoryId, title, content: title, important: false });
  const titles = async (sort: 'title' | '-title') =>
    (await rowsOf(pageNews, { categoryId, sort })).map(({ title }) => title);
  expect(await titles('title')).toEqual(['丙', '甲', '乙']);
  expect(await titles('-title')).toEqual(['乙', '甲', '丙']);
  const games = await rowsOf(contract.pageSpiders, { sort: '-lastRunTime' });
  const missing = games.map(({ lastRunTime }) => lastRunTime === null);
  expect(missing).toEqual(missing.toSorted((one, other) => Number(one) - Number(other)));
});

it('a page of the ledger by time is the same part of the whole, of one player as of all', async () => {
  const whole = await rowsOf(pageAccountHistory, { sort: 'createTime' });
  expect(whole.length).toBeGreaterThan(2);
  const pages = await Promise.all(
    whole.map((_, place) =>
      rowsOf(pageAccountHistory, { sort: '-createTime', currentPage: place + 1, pageSize: 1 }),
    ),
  );
  expect(pages.flat()).toEqual(whole.toReversed());
});

it('rows without a value come last in either direction, figures by their size', () => {
  const rows = [{ n: null }, { n: '9' }, { n: '10' }];
  const sorted = (sort: string) => sortedRows(rows, { sort });
  expect(sorted('n')).toEqual([{ n: '9' }, { n: '10' }, { n: null }]);
  expect(sorted('-n')).toEqual([{ n: '10' }, { n: '9' }, { n: null }]);
});
