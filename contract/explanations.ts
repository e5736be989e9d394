import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { choice, flag, id, optional, text } from './fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '权限说明';

const rolesScreen = '/main/pms/role';
const operatorsScreen = '/main/pms/operator';
const menusScreen = '/main/pms/menu';

/** What may be asked about: a screen by its route, a call by its name, a right to release by its code. */
const target = text('对象', { max: 100 });
const kind = choice('类别', { SCREEN: '页面', CALL: '接口', RELEASE: '复核权' });
/** PART: some of a call's paths only, such as those of one id. */
const verdict = choice('结论', { ALLOWED: '可用', PART: '部分可用', DENIED: '不可用' });
export type Verdict = z.infer<typeof verdict>;

const RoleName = z.object({ id: id(), desc: text('角色名称', { max: 50 }) });

/** A menu that opens something, or would: its titles from the top, the roles that bundle it and the pattern that fits. */
const MenuOf = z.object({
  menuId: ref('menu', '菜单'),
  menu: told(text('菜单', { max: 200 })),
  roles: z.array(RoleName).meta({ title: '角色' }),
  pattern: text('匹配表达式', { max: 2000 }).nullable(),
  whole: flag('范围', ['全部', '部分路径']),
});

/** What somebody may do, or not, with one screen, call or right; `refusal` is what the server says when it is tried. */
export const Explanation = z.object({
  ...{ target, kind },
  title: told(text('名称', { max: 100 })),
  /** The screen or screens it belongs to. */
  place: told(text('所在页面', { max: 500 })),
  verdict,
  refusal: told(text('系统的提示', { max: 500 })).nullable(),
  /** The menus held that open it. */
  opens: z.array(MenuOf).meta({ title: '由此打开' }),
  /** The menus not held, any of which would open it. */
  missing: z.array(MenuOf).meta({ title: '缺少' }),
  /** What is asked for besides, and may turn it away: a Google code, a second operator. */
  demands: told(z.array(text('另须', { max: 500 })).meta({ title: '另须' })),
});
export type Explanation = z.infer<typeof Explanation>;

/** What an operator or the holder of a role may do. `barred` is what keeps an operator from signing in at all. */
export const Explained = z.object({
  name: text('名称', { max: 50 }),
  barred: told(z.array(text('不能登录的原因', { max: 500 })).meta({ title: '不能登录的原因' })),
  roles: z.array(RoleName).meta({ title: '角色' }),
  targets: z.array(Explanation).meta({ title: '说明' }),
});
export type Explained = z.infer<typeof Explained>;

const asked = { id: id(), target: optional(target) };

/** By the rights of this moment, whatever is tried on in a session. Without a `target` everything there is is told. */
export const explainOperator = query('POST /pms/operator/explain', {
  summary: '说明操作员的权限',
  body: 'json',
  input: z.object(asked),
  output: Explained,
  access: granted(operatorsScreen),
});

/** The same of whoever has this role and no other. */
export const explainRole = query('POST /pms/role/explain', {
  summary: '说明角色的权限',
  body: 'json',
  input: z.object(asked),
  output: Explained,
  access: granted(rolesScreen),
});

/** Who reaches a menu and by which roles, and what it opens. */
export const MenuReached = z.object({
  menu: told(text('菜单', { max: 200 })),
  roles: z.array(RoleName).meta({ title: '角色' }),
  operators: z
    .array(
      z.object({
        id: id(),
        userName: text('用户名', { max: 50 }),
        disabled: flag('账号', ['已停用', '正常']),
        roles: z.array(RoleName).meta({ title: '角色' }),
      }),
    )
    .meta({ title: '操作员' }),
  opens: z
    .array(
      Explanation.pick({ target: true, kind: true, title: true, place: true }).extend({
        pattern: text('匹配表达式', { max: 2000 }).nullable(),
        whole: flag('范围', ['全部', '部分路径']),
      }),
    )
    .meta({ title: '打开' }),
});
export type MenuReached = z.infer<typeof MenuReached>;

export const explainMenu = query('POST /pms/menu/explain', {
  summary: '说明谁能访问菜单',
  body: 'json',
  input: z.object({ id: id() }),
  output: MenuReached,
  access: granted(menusScreen),
});

/** Two roles beside one another: every menu that either bundles, and whatever either opens. */
export const RolesCompared = z.object({
  first: RoleName,
  second: RoleName,
  menus: z
    .array(
      z.object({
        menuId: ref('menu', '菜单'),
        menu: told(text('菜单', { max: 200 })),
        first: flag('在前者中'),
        second: flag('在后者中'),
      }),
    )
    .meta({ title: '菜单' }),
  targets: z
    .array(
      Explanation.pick({ target: true, kind: true, title: true, place: true }).extend({
        first: verdict,
        second: verdict,
      }),
    )
    .meta({ title: '页面与接口' }),
});
export type RolesCompared = z.infer<typeof RolesCompared>;

export const compareRoles = query('POST /pms/role/compare', {
  summary: '对比两个角色',
  body: 'json',
  input: z.object({ id: id(), otherId: ref('role', '对比的角色') }),
  output: RolesCompared,
  access: granted(rolesScreen),
});
