import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, flag, id, longText, optional, paged, pageOf, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '新闻';

const kept = { rows: 'news', access: granted('/main/news/news') } as const;
const categoryId = ref('newsCategory', '新闻分类');
const important = flag('重要').meta({ choices: { false: '否', true: '是' } });
const shown = { categoryId, title: text('标题', { max: 200 }), content: longText('内容') };
const fields = { ...shown, important: important.default(false) };

/** A piece of news. `content` is plain text with line breaks. */
export const News = z.object({ id: id(), version, ...shown, important, createTime: dateTime('发布时间') });
export type News = z.infer<typeof News>;

export const pageNews = query('POST /news/news/page', {
  ...kept,
  summary: '分页查询新闻',
  body: 'form',
  input: paged({ categoryId, sort: sorts('title', 'important', 'createTime') }),
  output: pageOf(News),
});

export const addNews = command('POST /news/news/add', {
  ...kept,
  summary: '新增新闻',
  effect: 'add',
  body: 'json',
  input: z.object(fields),
  output: id(),
  imports: true,
});

export const updateNews = command('POST /news/news/update', {
  ...kept,
  summary: '编辑新闻',
  effect: 'update',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...shown, important: optional(important) }),
  output: id(),
  edits: News,
});

export const deleteNews = command('GET /news/news/deleteById/{id}', {
  ...kept,
  summary: '删除新闻',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
});
