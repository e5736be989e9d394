import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportFormats } from '#contract/export-formats.ts';
import { addNews, deleteNews, pageNews, updateNews } from '#contract/news.ts';
import {
  addNewsCategory,
  deleteNewsCategory,
  listNewsCategories,
  updateNewsCategory,
} from '#contract/news-categories.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let serial = 0;
async function buildCategory(name = `分类 ${++serial}`): Promise<number> {
  return given((await (await server.admin()).call(addNewsCategory, { name })).envelope.data);
}

describe('news categories', () => {
  it('are added, renamed and deleted, the newest first', async () => {
    const admin = await server.admin();
    const id = await buildCategory('公告');
    await admin.call(updateNewsCategory, { id, name: '平台公告' });
    expect((await admin.call(listNewsCategories, {})).envelope.data?.[0]).toEqual({
      ...{ id, version: 2, name: '平台公告' },
    });
    expect((await admin.call(deleteNewsCategory, { id })).envelope).toMatchObject({ msg: '删除成功' });
    expect((await admin.call(deleteNewsCategory, { id })).envelope.msg).toBe('记录不存在');
  });

  it('refuse a name twice, and to go while news are filed under them', async () => {
    const admin = await server.admin();
    const id = await buildCategory('活动');
    const other = await buildCategory('赛事');
    const taken = { success: false, data: { errors: { name: '分类名称已存在' } } };
    expect((await admin.call(addNewsCategory, { name: ' 活动 ' })).envelope).toMatchObject(taken);
    expect((await admin.call(updateNewsCategory, { id: other, name: '活动' })).envelope).toMatchObject(taken);
    expect((await admin.call(updateNewsCategory, { id, name: '活动' })).envelope.success).toBe(true);
    await admin.call(addNews, { categoryId: id, title: '一', content: '一' });
    expect((await admin.call(deleteNewsCategory, { id })).envelope.msg).toBe('新闻分类正在被使用，不能删除');
  });
});

describe('news', () => {
  it('keep their line breaks and whatever looks like HTML, to the letter', async () => {
    const admin = await server.admin();
    const categoryId = await buildCategory();
    const content = '第一行\n\n  第二行 <script>alert(1)</script>\n&amp; "完"\n';
    const id = given(
      (await admin.call(addNews, { categoryId, title: '标题', content, important: true })).envelope.data,
    );
    const [row] = (await admin.call(pageNews, { categoryId })).envelope.data?.data ?? [];
    expect(row).toMatchObject({ id, categoryId, title: '标题', content, important: true });
    expect(row?.createTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await admin.call(updateNews, { id, categoryId, title: '改', content });
    expect((await admin.call(pageNews, { categoryId })).envelope.data?.data[0]?.important).toBe(true);
    await admin.call(updateNews, { id, categoryId, title: '改', content: 'a\nb', important: false });
    expect((await admin.call(pageNews, { categoryId })).envelope.data?.data).toEqual([
      { ...row, version: 3, title: '改', content: 'a\nb', important: false },
    ]);
    await admin.call(deleteNews, { id });
    expect((await admin.call(pageNews, { categoryId })).envelope.data).toEqual({ totalCount: 0, data: [] });
  });

  it('come in pages, newest first, with the count of all that match', async () => {
    const admin = await server.admin();
    const categoryId = await buildCategory();
    for (let i = 1; i <= 5; i++)
      await admin.call(addNews, { categoryId, title: `第 ${i} 条`, content: '。' });
    const page = await admin.call(pageNews, { categoryId, currentPage: 2, pageSize: 2 });
    expect(page.envelope.data).toMatchObject({
      totalCount: 5,
      data: [{ title: '第 3 条' }, { title: '第 2 条' }],
    });
    const beyond = await admin.call(pageNews, { categoryId, currentPage: 9, pageSize: 2 });
    expect(beyond.envelope.data).toEqual({ totalCount: 5, data: [] });
  });

  it('are refused in an unknown category, at the field, and change nothing', async () => {
    const admin = await server.admin();
    const refusal = { success: false, data: { errors: { categoryId: '新闻分类不存在' } } };
    const before = (await admin.call(pageNews, {})).envelope.data;
    const wrong = { categoryId: 987_654, title: 'x', content: 'x' };
    expect((await admin.call(addNews, wrong)).envelope).toMatchObject(refusal);
    const [row] = before?.data ?? [];
    expect((await admin.call(updateNews, { ...wrong, id: given(row?.id) })).envelope).toMatchObject(refusal);
    expect((await admin.call(updateNews, { ...wrong, id: 987_654 })).envelope.msg).toBe('记录不存在');
    expect((await admin.call(pageNews, {})).envelope.data).toEqual(before);
  });
});

it('a page of so many long texts that the server would have to hold is refused, a shorter one and a file are not', async () => {
  const admin = await server.admin();
  const categoryId = await buildCategory();
  await sql`
    insert into news ("categoryId", title, content) select ${categoryId}, '长', repeat('汉', 20000) from generate_series(1, 1200)`.execute(
    server.db,
  );
  const { envelope } = await admin.call(pageNews, { categoryId, pageSize: 9999 });
  expect(envelope).toMatchObject({
    success: false,
    code: 400,
    msg: '这一页的内容超过 64 MB，请减少每页条数',
  });
  const page = (await admin.call(pageNews, { categoryId, pageSize: 20 })).envelope.data;
  expect([page?.totalCount, page?.data.length]).toEqual([1_200, 20]);
  const file = await fetch(`${server.origin}/api${pageNews.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, accept: exportFormats.csv },
    body: new URLSearchParams({ categoryId: String(categoryId) }),
  });
  expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  const { done } = (await file.body?.getReader().read()) ?? { done: true };
  expect(done).toBe(false);
  await file.body?.cancel().catch(() => undefined);
});
