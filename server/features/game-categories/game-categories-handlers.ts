import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './game-category-store.ts';

async function target(db: Db, id: number) {
  const category = await store.findGameCategory(db, id);
  if (!category) throw new Refusal('recordNotFound');
  return category;
}

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '分类名称' } });

export const gameCategoriesHandlers = handlers({
  pageGameCategories: ({ db }, filter) => store.pageGameCategories(db, filter),

  addGameCategory: async ({ db, remark }, { iconClass = null, ...fields }) => {
    const id = await store.insertGameCategory(db, { ...fields, iconClass });
    if (id === undefined) throw nameTaken();
    remark({ targetId: id, after: { id, ...fields, iconClass } });
    return id;
  },

  updateGameCategory: async ({ db, remark }, { iconClass = null, ...fields }) => {
    const before = await target(db, fields.id);
    const namesake = await store.findGameCategoryByName(db, fields.name);
    if (namesake && namesake.id !== fields.id) throw nameTaken();
    await store.updateGameCategory(db, { ...fields, iconClass });
    remark({ before, after: { ...fields, iconClass } });
    return fields.id;
  },

  deleteGameCategory: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    if (await store.hasGames(db, id)) throw new Refusal('inUse', { values: { what: '游戏分类' } });
    await store.deleteGameCategory(db, id);
    remark({ before });
    return true as const;
  },
});
