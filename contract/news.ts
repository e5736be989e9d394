import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, flag, id, longText, optional, paged, pageOf, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '新闻';

const screen = '/main/news/news';
const categoryId = ref('newsCategory', '新闻分类');
const important = flag('重要').meta({ choices: { false: '否', true: '是' } });
const shown = { categoryId, title: text('标题', { max: 200 }), content: longText('内容') };
const fields = { ...shown, important: important.default(false) };

/** A piece of news. `content` is plain text with line breaks. */
export const News = z.object({ id: id(), version, ...shown, important, createTime: dateTime('发布时间') });
export type News = z.infer<typeof News>;

export const pageNews = query('POST /news/news/page', {
  rows: 'news',
  summary: '分页查询新闻',
  body: 'form',
  input: paged({ categoryId, sort: sorts('title', 'important', 'createTime') }),
  output: pageOf(News),
  access: granted(screen),
});

export const addNews = command('POST /news/news/add', {
  rows: 'news',
  effect: 'add',
  summary: '新增新闻',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
  imports: true,
});

export const updateNews = command('POST /news/news/update', {
  rows: 'news',
  effect: 'update',
  summary: '编辑新闻',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...shown, important: optional(important) }),
  output: id(),
  access: granted(screen),
  edits: News,
});

export const deleteNews = command('GET /news/news/deleteById/{id}', {
  rows: 'news',
  effect: 'delete',
  summary: '删除新闻',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});
