import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import * as store from './news-store.ts';

export const newsHandlers = handlers({
  pageNews: ({ db }, filter) => store.pageNews(db, filter),

  addNews: async ({ db }, fields) => (await added(db, 'news', fields)).id,

  updateNews: async ({ db }, { id, version, ...fields }) => {
    await changed(db, 'news', { id, version }, fields);
    return id;
  },

  deleteNews: async ({ db }, { id }) => {
    await removed(db, 'news', id);
    return true as const;
  },
});
