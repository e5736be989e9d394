import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { addMenu, listMenus } from '#contract/menus.ts';
import { addNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  await buildUser(server.db);
  await buildPlayWay(admin, ['大', '小']);
  const categoryId = (await admin.call(addNewsCategory, { name: `分类${randomUUID()}` })).envelope.data ?? 0;
  await admin.call(addNews, { categoryId, title: '标题', content: '内容', important: false });
});
afterAll(() => server.close());

type Row = Record<string, unknown>;

const rowsOf = async (endpoint: AnyEndpoint, input: object): Promise<Row[]> => {
  const paging = 'pageSize' in shapeOf(endpoint.input) ? { pageSize: 1000 } : {};
  const { data } = (await admin.call(endpoint, { ...paging, ...input } as never)).envelope;
  return Array.isArray(data) ? data : ((data as { data?: Row[] } | null)?.data ?? []);
};

/** The search fields of lists that take a text. */
const searches = Object.entries<AnyEndpoint>(contract).flatMap(([name, endpoint]) => {
  const { kind, input, access, verb } = endpoint;
  const isList = kind === 'query' && verb === 'POST' && typeof access === 'object';
  if (!isList) return [];
  return Object.entries(shapeOf(input))
    .filter(([, field]) => metaOf(field).kind === 'text')
    .map(([field, schema]) => [name, field, metaOf(schema).match ?? 'part', endpoint] as const);
});

/** What finds a text, and what must not, by how much of it the field says it takes. */
const words = {
  part: (text: string) => ({ finds: text.slice(1, -1), misses: `${text}!` }),
  beginning: (text: string) => ({ finds: text.slice(0, -1), misses: text.slice(1) }),
  whole: (text: string) => ({ finds: text, misses: text.slice(0, -1) }),
} as const;

let held = 0;

describe('a text is searched for as its field says', () => {
  it.each(searches)('%s by %s (%s)', async (_, field, match, endpoint) => {
    const rows = await rowsOf(endpoint, {});
    const row = rows.find((each) => typeof each[field] === 'string' && String(each[field]).length > 2);
    // Nothing of it is there to be found.
    if (!row) return;
    held += 1;
    const { finds, misses } = words[match](String(row[field]));
    const values = async (text: string) =>
      (await rowsOf(endpoint, { [field]: text })).map((each) => each[field]);
    expect(await values(finds), finds).toContain(row[field]);
    expect(await values(misses), misses).not.toContain(row[field]);
  });

  it('of enough lists to tell', () => {
    expect(held).toBeGreaterThan(10);
  });

  it('whatever its case, menus too, which no statement searches', async () => {
    await admin.call(addMenu, { type: 'FOLDER', title: 'BI 报表' });
    expect(await rowsOf(listMenus, { title: 'bi' })).toMatchObject([{ title: 'BI 报表' }]);
  });
});
