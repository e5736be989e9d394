import type { Input } from '#contract/endpoint.ts';
import type { updatePlayWayCategory } from '#contract/play-way-categories.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed, type Row, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import * as store from './play-way-category-store.ts';

type Level = 'category' | 'subCategory';
type Category = Row<'play_way_category'>;

/** The two levels share a table, and so their ids; a call for one level does not find a row of the other. */
function demandLevel({ parentCategoryId }: Category, level: Level): void {
  if ((parentCategoryId === null) !== (level === 'category')) throw new Refusal('recordNotFound');
}

type Edit = Input<typeof updatePlayWayCategory>;

async function update(db: Db, { id, version, ...fields }: Edit, level: Level) {
  await changed(db, 'play_way_category', { id, version }, (before) => {
    demandLevel(before, level);
    return fields;
  });
  return id;
}

async function remove(db: Db, id: number, level: Level) {
  await removed(db, 'play_way_category', id, async (before) => {
    demandLevel(before, level);
    const what = level === 'category' ? '玩法分类' : '玩法子分类';
    if (await store.hasContent(db, id)) throw new Refusal('inUse', { values: { what } });
  });
  return true as const;
}

export const playWayCategoriesHandlers = handlers({
  pagePlayWayCategories: ({ db }, filter) => store.pagePlayWayCategories(db, filter),

  addPlayWayCategory: async ({ db }, fields) =>
    (await added(db, 'play_way_category', { ...fields, parentCategoryId: null })).id,
  updatePlayWayCategory: ({ db }, edit) => update(db, edit, 'category'),
  deletePlayWayCategory: ({ db }, { id }) => remove(db, id, 'category'),

  addPlayWaySubCategory: async ({ db }, fields) => {
    const parent = await store.findPlayWayCategory(db, fields.parentCategoryId);
    if (!parent || parent.parentCategoryId !== null) throw wrong('parentCategoryId', '上级分类不存在');
    return (await added(db, 'play_way_category', { ...fields, gameId: parent.gameId })).id;
  },
  updatePlayWaySubCategory: ({ db }, edit) => update(db, edit, 'subCategory'),
  deletePlayWaySubCategory: ({ db }, { id }) => remove(db, id, 'subCategory'),
});
