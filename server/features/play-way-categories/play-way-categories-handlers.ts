import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandGame } from '../games/game-rules.ts';
import * as store from './play-way-category-store.ts';

type Level = 'category' | 'subCategory';
type Fields = Parameters<typeof store.updatePlayWayCategory>[2];

/** The two levels share a table, and so their ids; a call for one level does not find a row of the other. */
async function target({ db }: Context, id: number, level: Level) {
  const category = await store.findPlayWayCategory(db, id);
  if (!category || (category.parentCategoryId === null) !== (level === 'category'))
    throw new Refusal('recordNotFound');
  return category;
}

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '分类名称' } });

async function add(context: Context, category: Parameters<typeof store.insertPlayWayCategory>[1]) {
  const id = await store.insertPlayWayCategory(context.db, category);
  if (id === undefined) throw nameTaken();
  context.remark({ targetId: id, after: { id, ...category } });
  return id;
}

async function update(context: Context, id: number, fields: Fields, level: Level) {
  const before = await target(context, id, level);
  if (await store.isSiblingNamed(context.db, before, fields.name)) throw nameTaken();
  await store.updatePlayWayCategory(context.db, id, fields);
  context.remark({ before, after: { ...before, ...fields } });
  return id;
}

async function remove(context: Context, id: number, level: Level) {
  const before = await target(context, id, level);
  const what = level === 'category' ? '玩法分类' : '玩法子分类';
  if (await store.hasContent(context.db, id)) throw new Refusal('inUse', { values: { what } });
  await store.deletePlayWayCategory(context.db, id);
  context.remark({ before });
  return true as const;
}

export const playWayCategoriesHandlers = handlers({
  pagePlayWayCategories: ({ db }, filter) => store.pagePlayWayCategories(db, filter),

  addPlayWayCategory: async (context, fields) => {
    await demandGame(context.db, fields.gameId);
    return add(context, { ...fields, parentCategoryId: null });
  },
  updatePlayWayCategory: (context, { id, ...fields }) => update(context, id, fields, 'category'),
  deletePlayWayCategory: (context, { id }) => remove(context, id, 'category'),

  addPlayWaySubCategory: async (context, { parentCategoryId, ...fields }) => {
    const parent = await store.findPlayWayCategory(context.db, parentCategoryId);
    if (!parent || parent.parentCategoryId !== null)
      throw new Refusal('invalid', { field: 'parentCategoryId', values: { message: '上级分类不存在' } });
    return add(context, { ...fields, parentCategoryId, gameId: parent.gameId });
  },
  updatePlayWaySubCategory: (context, { id, ...fields }) => update(context, id, fields, 'subCategory'),
  deletePlayWaySubCategory: (context, { id }) => remove(context, id, 'subCategory'),
});
