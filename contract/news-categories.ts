import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, id, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '新闻分类';

const screen = '/main/news/category';
const fields = { name: text('分类名称', { max: 50 }) };

export const NewsCategory = z.object({ id: id(), version, ...fields });
export type NewsCategory = z.infer<typeof NewsCategory>;

export const listNewsCategories = query('POST /news/category/list', {
  rows: 'news_category',
  summary: '查询新闻分类',
  body: 'form',
  input: filters({ sort: sorts('id', 'name') }),
  output: z.array(NewsCategory),
  access: granted([screen, '/main/news/news']),
});

export const addNewsCategory = command('POST /news/category/add', {
  rows: 'news_category',
  effect: 'add',
  summary: '新增新闻分类',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
});

export const updateNewsCategory = command('POST /news/category/update', {
  rows: 'news_category',
  effect: 'update',
  summary: '编辑新闻分类',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  access: granted(screen),
  edits: NewsCategory,
});

export const deleteNewsCategory = command('GET /news/category/deleteById/{id}', {
  rows: 'news_category',
  effect: 'delete',
  summary: '删除新闻分类',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});
