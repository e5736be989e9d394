import { handlers } from '#server/http/handler.ts';
import * as store from './game-category-store.ts';

export const gameCategoriesHandlers = handlers({
  pageGameCategories: ({ db }, filter) => store.pageGameCategories(db, filter),
});
