import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, id, sorts, text } from './fields.ts';
import { createDate, createDateRange, editDate, outranks, seenVersion, version } from './named-fields.ts';
import { ref, refs } from './ref.ts';
import { seeded } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '角色';

const screen = '/main/pms/role';

const fields = {
  desc: seeded(text('角色名称', { max: 50 })),
  name: text('角色标识', { max: 50 }),
};

/** A bundle of menus. `desc` is what operators read, `name` the identifier. */
export const Role = z.object({
  id: id(),
  version,
  ...fields,
  hasMenus: z.array(z.object({ id: ref('menu', '菜单') })).meta({ title: '菜单' }),
  createDate,
  editDate,
  outranks,
});
export type Role = z.infer<typeof Role>;

export const listRoles = query('POST /pms/role/list', {
  summary: '查询角色',
  body: 'form',
  input: filters({ ...fields, createDateRange, sort: sorts('desc', 'name', 'createDate', 'editDate') }),
  output: z.array(Role),
  access: granted([screen, '/main/pms/operator']),
});

export const addRole = command('POST /pms/role/add', {
  rows: 'role',
  effect: 'add',
  summary: '新增角色',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen, 'pms:role:add'),
});

/** A new role with the menus of another, none of which the caller may lack. */
export const copyRole = command('POST /pms/role/copy', {
  effect: 'add',
  summary: '复制角色',
  body: 'json',
  input: z.object({ id: id(), ...fields }),
  output: id(),
  access: granted(screen, 'pms:role:copy'),
  stepUp: true,
});

export const updateRole = command('POST /pms/role/update', {
  effect: 'update',
  summary: '编辑角色',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  access: granted(screen, 'pms:role:update'),
  edits: Role.omit({ hasMenus: true, outranks: true }),
});

export const deleteRole = command('GET /pms/role/deleteById/{id}', {
  effect: 'delete',
  summary: '删除角色',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'pms:role:delete'),
});

const menuIds = refs('menu', '菜单');

/** Replaces the menus of a role by exactly these; refused as stale where its menus are not those that were `seen`. */
export const bindRoleMenus = command('POST /pms/role/bindMenusById/{rid}', {
  summary: '分配菜单',
  body: 'array',
  input: z.object({ rid: ref('role', '角色'), menuIds, seen: refs('menu', '打开时的菜单').optional() }),
  output: z.literal(true),
  edits: z.object({ menuIds, seen: menuIds }),
  access: granted(screen, 'pms:role:bindMenu'),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});
