import { z } from 'zod';
import { command, granted } from './endpoint.ts';
import { id } from './fields.ts';
import { PlayWayCategory, playWayCategoryEdit, playWayCategoryFields } from './play-way-categories.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '玩法子分类';

const screen = '/main/game/playway-category';

export const addPlayWaySubCategory = command('POST /game/playWaySubCategory/add', {
  effect: 'add',
  summary: '新增玩法子分类',
  body: 'json',
  input: z.object({ parentCategoryId: ref('playWayCategory', '上级分类'), ...playWayCategoryFields }),
  output: id(),
  access: granted(screen, 'game:playWaySubCategory:add'),
});

/** Guarded by the code that edits categories, as the specification has it. */
export const updatePlayWaySubCategory = command('POST /game/playWaySubCategory/update', {
  effect: 'update',
  summary: '编辑玩法子分类',
  body: 'json',
  input: z.object(playWayCategoryEdit),
  output: id(),
  access: granted(screen, 'game:playwayCategory:update'),
  edits: PlayWayCategory.omit({ subCategories: true }),
});

/** Guarded by the code that deletes games, as the specification has it. */
export const deletePlayWaySubCategory = command('GET /game/playWaySubCategory/deleteById/{id}', {
  effect: 'delete',
  summary: '删除玩法子分类',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:lottery:delete'),
});
