import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { choice, dateTime, filters, flag, id, integer, nothing, optional, text } from './fields.ts';
import { outranks, seenVersion, version } from './named-fields.ts';
import { ref } from './ref.ts';
import { isRoute } from './screens.ts';
import { seeded, told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '菜单';

const screen = '/main/pms/menu';
const type = choice('类型', { FOLDER: '目录', MENU: '菜单', BTN: '按钮' });

/** Whose words the first menus are named by. */
const words = 'contract/screens.ts';

const BUTTON_CODE = /^[A-Za-z][\w-]*(:[A-Za-z][\w-]*)+$/;

const path = text('路径').refine((value) => isRoute(value) || BUTTON_CODE.test(value), {
  error: '须以一个 / 开头，或为按钮的权限代码',
});

/** Patterns over paths, and nothing that would match none of them: a wide comma, a blank between two, a `{id}`. */
const PATTERN = /^(\/[\w.~%!'()/*?-]*)?$/;

const urlExpression = text('资源匹配表达式', { max: 2000 }).refine(
  (value) => value.split(',').every((pattern) => PATTERN.test(pattern.trim())),
  { error: '须为以 / 开头的路径，可含 ? 与 *，多个之间用英文逗号分隔' },
);

const fields = {
  title: text('标题', { max: 50 }),
  iconClass: optional(text('图标', { max: 60 })),
  path: optional(path),
  urlExpression: optional(urlExpression),
  index: integer('排序', { min: 0 }).default(0),
};

/** A node of the menu tree. `path` is a MENU's route or a BTN's code; `childrens` is the wire's spelling. */
export const Menu = z.object({
  id: id(),
  version,
  title: told(fields.title, words),
  type,
  iconClass: text('图标', { max: 60 }).nullable(),
  path: text('路径').nullable(),
  urlExpression: text('资源匹配表达式', { max: 2000 }).nullable(),
  index: integer('排序'),
  parentId: ref('menu', '上级目录').nullable(),
  createDate: dateTime('创建时间'),
  editDate: dateTime('编辑时间'),
  get childrens(): z.ZodArray<typeof Menu> {
    return z.array(Menu);
  },
});
export type Menu = z.infer<typeof Menu>;

/** The same where menus are looked after. One with others below it, whether or not these are looked for, is not deleted. */
export const ListedMenu = Menu.extend({
  title: seeded(fields.title, words),
  outranks,
  hasBelow: flag('下级', ['有', '无']),
  get childrens(): z.ZodArray<typeof ListedMenu> {
    return z.array(ListedMenu);
  },
});
export type ListedMenu = z.infer<typeof ListedMenu>;

export const listCurrentMenus = query('GET /pms/menu/listByCurrentUser', {
  summary: '查询当前操作员的菜单',
  noun: '当前操作员的菜单',
  body: 'none',
  input: nothing,
  output: z.array(Menu),
  access: 'signed-in',
});

export const listMenus = query('POST /pms/menu/list', {
  summary: '查询菜单',
  body: 'form',
  input: filters({ title: text('标题'), type }),
  output: z.array(ListedMenu),
  access: granted([screen, '/main/pms/role']),
});

export const addMenu = command('POST /pms/menu/add', {
  effect: 'add',
  summary: '新增菜单',
  body: 'json',
  input: z.object({
    parentId: optional(ref('menu', '上级目录', { only: { type: ['FOLDER', 'MENU'] } })),
    type,
    ...fields,
  }),
  output: id(),
  access: granted(screen, 'pms:menu:add'),
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

export const updateMenu = command('POST /pms/menu/update', {
  effect: 'update',
  summary: '编辑菜单',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  access: granted(screen, 'pms:menu:update'),
  edits: Menu.omit({ childrens: true }),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

export const deleteMenu = command('GET /pms/menu/deleteById/{id}', {
  effect: 'delete',
  summary: '删除菜单',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'pms:menu:delete'),
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});
