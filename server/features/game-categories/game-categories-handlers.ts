import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import * as store from './game-category-store.ts';

export const gameCategoriesHandlers = handlers({
  pageGameCategories: ({ db }, filter) => store.pageGameCategories(db, filter),

  addGameCategory: async ({ db }, { iconClass = null, ...fields }) =>
    (await added(db, 'game_category', { ...fields, iconClass })).id,

  updateGameCategory: async ({ db }, { id, version, iconClass = null, ...fields }) => {
    await changed(db, 'game_category', { id, version }, { ...fields, iconClass });
    return id;
  },

  deleteGameCategory: async ({ db }, { id }) => {
    await removed(db, 'game_category', id);
    return true as const;
  },
});
