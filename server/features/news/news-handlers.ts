import type { Db } from '#server/db/database.ts';
import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findNewsCategory } from '../news-categories/news-category-store.ts';
import * as store from './news-store.ts';

async function demandCategory(db: Db, id: number): Promise<void> {
  if (await findNewsCategory(db, id)) return;
  throw new Refusal('invalid', { field: 'categoryId', values: { message: '新闻分类不存在' } });
}

export const newsHandlers = handlers({
  pageNews: ({ db }, filter) => store.pageNews(db, filter),

  addNews: async ({ db }, fields) => {
    await demandCategory(db, fields.categoryId);
    return (await added(db, 'news', fields)).id;
  },

  updateNews: async ({ db }, { id, version, ...fields }) => {
    await changed(db, 'news', { id, version }, async () => {
      await demandCategory(db, fields.categoryId);
      return fields;
    });
    return id;
  },

  deleteNews: async ({ db }, { id }) => {
    await removed(db, 'news', id);
    return true as const;
  },
});
