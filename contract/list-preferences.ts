import { z } from 'zod';
import { command, query } from './endpoint.ts';
import { choice, flag, id, integer, nothing, optional, text } from './fields.ts';
import { nested, rows } from './list-fields.ts';
import { ref } from './ref.ts';
import { screens } from './screens.ts';

/** What its calls stand under in the API document. */
export const heading = '列表偏好';

const screen = z.enum(screens.map(({ path }) => path)).meta({ title: '页面' });

/** Between which widths a column is laid out, in pixels. */
export const columnWidths = { min: 40, max: 1200 };

/** How one column of a list stands; columns that an operator left alone need not be named. */
const ListColumn = z.object({
  key: text('列', { max: 100 }),
  hidden: flag('隐藏').default(false),
  pinned: flag('固定').default(false),
  width: optional(integer('列宽', columnWidths)),
});

/** How an operator has a list: its columns in their order, how close its rows stand, and whether they can be selected. */
export const ListLayout = z.object({
  columns: rows('列', ListColumn, { max: 100 }),
  density: choice('密度', { NORMAL: '标准', TIGHT: '紧凑' }).default('NORMAL'),
  selects: flag('多选').default(false),
});
export type ListLayout = z.infer<typeof ListLayout>;

const name = text('视图名称', { max: 50 });
/** What stands behind the `?` of a list's address: search, order, columns. */
const address = text('查询地址', { min: 0, max: 4_000 });
const roleId = ref('role', '共享给角色');

/** A list's address under a name: one's own, or for all operators of a role. `start` is what the list opens with for whoever asks. */
export const ListView = z.object({
  id: id(),
  screen,
  name,
  address,
  roleId: roleId.nullable(),
  mine: flag('自己的'),
  start: flag('默认打开'),
});
export type ListView = z.infer<typeof ListView>;

/** How the caller has their lists, which views they may open, and the roles they may save one for. */
export const listPreferences = query('POST /operator/preference/list', {
  summary: '查询列表偏好',
  body: 'form',
  input: nothing,
  output: z.object({
    layouts: z.array(z.object({ screen, layout: ListLayout })),
    views: z.array(ListView),
    roles: z.array(z.object({ id: ref('role', '角色'), desc: text('角色名称') })),
  }),
  access: 'signed-in',
});
export type ListPreferences = z.infer<typeof listPreferences.output>;

/** Keeps how the caller has a list; without a layout it stands as everybody's again. */
export const saveListLayout = command('POST /operator/preference/layout', {
  summary: '保存列表布局',
  body: 'json',
  input: z.object({ screen, layout: optional(nested('布局', ListLayout)) }),
  output: z.literal(true),
  access: 'signed-in',
});

/** Saves a view; one of the caller's own with the same name on the same screen gives way. */
export const addListView = command('POST /operator/view/add', {
  effect: 'add',
  summary: '保存视图',
  body: 'json',
  input: z.object({ screen, name, address, roleId: optional(roleId) }),
  output: id(),
  access: 'signed-in',
});

export const deleteListView = command('GET /operator/view/deleteById/{id}', {
  effect: 'delete',
  summary: '删除视图',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: 'signed-in',
});

/** Makes a view what the list opens with for the caller; without one it opens as it is. */
export const startListView = command('POST /operator/preference/start', {
  summary: '设置默认视图',
  body: 'json',
  input: z.object({ screen, id: optional(id()) }),
  output: z.literal(true),
  access: 'signed-in',
});
