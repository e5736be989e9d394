import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import * as store from './news-category-store.ts';

export const newsCategoriesHandlers = handlers({
  listNewsCategories: ({ db }) => store.listNewsCategories(db),

  addNewsCategory: async ({ db }, fields) => (await added(db, 'news_category', fields)).id,

  updateNewsCategory: async ({ db }, { id, version, ...fields }) => {
    await changed(db, 'news_category', { id, version }, fields);
    return id;
  },

  deleteNewsCategory: async ({ db }, { id }) => {
    await removed(db, 'news_category', id);
    return true as const;
  },
});
