import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, integer, optional, paged, pageOf, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '游戏分类';

const screen = '/main/game/game-category';
const kept = { rows: 'game_category', access: granted(screen) } as const;
const name = text('分类名称', { max: 50 });
const iconClass = text('图标', { max: 60 });
const index = integer('排序', { min: 0 });
const fields = { name, iconClass: optional(iconClass), index: index.default(0) };

/** A kind of games. Listed by `index`, ascending. */
export const GameCategory = z.object({ id: id(), version, name, iconClass: iconClass.nullable(), index });
export type GameCategory = z.infer<typeof GameCategory>;

export const pageGameCategories = query('POST /game/category/page', {
  summary: '分页查询游戏分类',
  body: 'form',
  input: paged({ name, sort: sorts('name', 'index') }),
  output: pageOf(GameCategory),
  access: granted([screen, '/main/game/lottery', '/main/bet/rebate-rate']),
});

export const addGameCategory = command('POST /game/category/add', {
  ...kept,
  summary: '新增游戏分类',
  effect: 'add',
  body: 'json',
  input: z.object(fields),
  output: id(),
});

export const updateGameCategory = command('POST /game/category/update', {
  ...kept,
  summary: '编辑游戏分类',
  effect: 'update',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  edits: GameCategory,
});

export const deleteGameCategory = command('GET /game/category/deleteById/{id}', {
  ...kept,
  summary: '删除游戏分类',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
});
