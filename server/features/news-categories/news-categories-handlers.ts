import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { hasNews } from '../news/news-store.ts';
import * as store from './news-category-store.ts';

async function target(db: Db, id: number) {
  const category = await store.findNewsCategory(db, id);
  if (!category) throw new Refusal('recordNotFound');
  return category;
}

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '分类名称' } });

export const newsCategoriesHandlers = handlers({
  listNewsCategories: ({ db }) => store.listNewsCategories(db),

  addNewsCategory: async ({ db, remark }, { name }) => {
    const id = await store.insertNewsCategory(db, name);
    if (id === undefined) throw nameTaken();
    remark({ targetId: id, after: { id, name } });
    return id;
  },

  updateNewsCategory: async ({ db, remark }, category) => {
    const before = await target(db, category.id);
    if (await store.isNewsCategoryNameTaken(db, category.name, category.id)) throw nameTaken();
    await store.updateNewsCategory(db, category);
    remark({ before, after: category });
    return category.id;
  },

  deleteNewsCategory: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    if (await hasNews(db, id)) throw new Refusal('inUse', { values: { what: '新闻分类' } });
    await store.deleteNewsCategory(db, id);
    remark({ before });
    return true as const;
  },
});
