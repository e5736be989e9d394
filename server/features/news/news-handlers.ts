import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findNewsCategory } from '../news-categories/news-category-store.ts';
import * as store from './news-store.ts';

async function target(db: Db, id: number) {
  const news = await store.findNews(db, id);
  if (!news) throw new Refusal('recordNotFound');
  return news;
}

async function demandCategory(db: Db, id: number): Promise<void> {
  if (await findNewsCategory(db, id)) return;
  throw new Refusal('invalid', { field: 'categoryId', values: { message: '新闻分类不存在' } });
}

export const newsHandlers = handlers({
  pageNews: ({ db }, filter) => store.pageNews(db, filter),

  addNews: async ({ db, remark }, fields) => {
    await demandCategory(db, fields.categoryId);
    const id = await store.insertNews(db, fields);
    remark({ targetId: id, after: { id, ...fields } });
    return id;
  },

  updateNews: async ({ db, remark }, { id, ...fields }) => {
    const before = await target(db, id);
    await demandCategory(db, fields.categoryId);
    await store.updateNews(db, id, fields);
    remark({ before, after: { ...before, ...fields } });
    return id;
  },

  deleteNews: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    await store.deleteNews(db, id);
    remark({ before });
    return true as const;
  },
});
