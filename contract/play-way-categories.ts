import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { flag, id, integer, optional, paged, pageOf, sorts, text } from './fields.ts';
import { gameId, seenVersion, version } from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '玩法分类';

const screen = '/main/game/playway-category';
const name = text('玩法分类名称', { max: 50 });
const countOfRows = integer('每行数量', { min: 1, max: 100 });
const hideName = flag('隐藏名称');

/** What a caller says of a category, and of a sub-category alike. */
export const playWayCategoryFields = {
  name,
  countOfRows: countOfRows.default(5),
  hideName: hideName.default(false),
};

/** What an edit of either says; whether the name is hidden stays as it is when that is left out. */
export const playWayCategoryEdit = {
  ...{ id: id(), version: seenVersion, ...playWayCategoryFields },
  hideName: optional(hideName),
};

/**
 * A group of play ways as the betting page lays it out, `countOfRows` items to a row. Two levels: a row without
 * `parentCategoryId` is a category, one with it a sub-category (whose own `subCategories` is empty).
 */
export const PlayWayCategory = z.object({
  id: id(),
  version,
  gameId,
  name,
  countOfRows,
  hideName,
  parentCategoryId: ref('playWayCategory', '上级分类').nullable(),
  get subCategories(): z.ZodArray<typeof PlayWayCategory> {
    return z.array(PlayWayCategory);
  },
});
export type PlayWayCategory = z.infer<typeof PlayWayCategory>;

/** A page of categories, each with its sub-categories; the count is that of the categories. */
export const pagePlayWayCategories = query('POST /game/playWayCategory/page', {
  summary: '分页查询玩法分类',
  body: 'form',
  input: paged({ gameId, sort: sorts('name', 'countOfRows') }),
  output: pageOf(PlayWayCategory),
  access: granted([screen, '/main/game/playway']),
});

export const addPlayWayCategory = command('POST /game/playWayCategory/add', {
  effect: 'add',
  summary: '新增玩法分类',
  body: 'json',
  input: z.object({ gameId, ...playWayCategoryFields }),
  output: id(),
  access: granted('/main/game/lottery', 'game:playwayCategory:add'),
});

export const updatePlayWayCategory = command('POST /game/playWayCategory/update', {
  effect: 'update',
  summary: '编辑玩法分类',
  body: 'json',
  input: z.object(playWayCategoryEdit),
  output: id(),
  access: granted(screen, 'game:playwayCategory:update'),
  edits: PlayWayCategory.omit({ subCategories: true }),
});

/** Guarded by the code that deletes games, as the specification has it. */
export const deletePlayWayCategory = command('GET /game/playWayCategory/deleteById/{id}', {
  effect: 'delete',
  summary: '删除玩法分类',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:lottery:delete'),
});
