import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { hasNews } from '../news/news-store.ts';
import * as store from './news-category-store.ts';

export const newsCategoriesHandlers = handlers({
  listNewsCategories: ({ db }) => store.listNewsCategories(db),

  addNewsCategory: async ({ db }, fields) => (await added(db, 'news_category', fields)).id,

  updateNewsCategory: async ({ db }, { id, version, ...fields }) => {
    await changed(db, 'news_category', { id, version }, fields);
    return id;
  },

  deleteNewsCategory: async ({ db }, { id }) => {
    await removed(db, 'news_category', id, async () => {
      if (await hasNews(db, id)) throw new Refusal('inUse', { values: { what: '新闻分类' } });
    });
    return true as const;
  },
});
