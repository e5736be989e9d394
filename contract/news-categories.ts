import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, id, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '新闻分类';

const screen = '/main/news/category';
const kept = { rows: 'news_category', access: granted(screen) } as const;
const fields = { name: text('分类名称', { max: 50 }) };

export const NewsCategory = z.object({ id: id(), version, ...fields });
export type NewsCategory = z.infer<typeof NewsCategory>;

export const listNewsCategories = query('POST /news/category/list', {
  ...kept,
  summary: '查询新闻分类',
  body: 'form',
  input: filters({ sort: sorts('id', 'name') }),
  output: z.array(NewsCategory),
  access: granted([screen, '/main/news/news']),
});

export const addNewsCategory = command('POST /news/category/add', {
  ...kept,
  summary: '新增新闻分类',
  effect: 'add',
  body: 'json',
  input: z.object(fields),
  output: id(),
});

export const updateNewsCategory = command('POST /news/category/update', {
  ...kept,
  summary: '编辑新闻分类',
  effect: 'update',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  edits: NewsCategory,
});

export const deleteNewsCategory = command('GET /news/category/deleteById/{id}', {
  ...kept,
  summary: '删除新闻分类',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
});
