import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, optional, paged, pageOf, text } from './fields.ts';
import { gameId } from './named-fields.ts';
import { margin, Odds } from './odds.ts';
import { ref } from './ref.ts';

const screen = '/main/game/playway';
const name = text('玩法名称', { max: 50 });
const showRate = text('显示赔率', { max: 50 });
const betLatitudeId = ref('betLatitude', '投注维度', { of: 'subCategoryId' });
const subCategoryId = ref('playWayCategory', '玩法子分类');
const fields = { name, showRate: optional(showRate), betLatitudeId };

/** A way to bet, with the odds of its numbers. `categoryId` is the category above its sub-category. */
export const PlayWay = z.object({
  id: id(),
  gameId,
  categoryId: ref('playWayCategory', '玩法分类'),
  subCategoryId,
  name,
  showRate: showRate.nullable(),
  betLatitudeId,
  odds: z.array(Odds).meta({ title: '赔率' }),
  margin,
});
export type PlayWay = z.infer<typeof PlayWay>;

export const pagePlayWays = query('POST /game/playWay/page', {
  summary: '分页查询玩法',
  body: 'form',
  input: paged({ gameId }),
  output: pageOf(PlayWay),
  access: granted(screen),
});

export const addPlayWay = command('POST /game/playWay/add', {
  summary: '新增玩法',
  body: 'json',
  input: z.object({ subCategoryId, ...fields }),
  output: id(),
  access: granted('/main/game/playway-category', 'game:playway:add'),
});

/** Without `subCategoryId` the play way stays where it is. */
export const updatePlayWay = command('POST /game/playWay/update', {
  summary: '编辑玩法',
  body: 'json',
  input: z.object({ id: id(), subCategoryId: optional(subCategoryId), ...fields }),
  output: id(),
  access: granted(screen, 'game:playway:update'),
});

export const deletePlayWay = command('GET /game/playWay/deleteById/{id}', {
  summary: '删除玩法',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:playway:delete'),
});
