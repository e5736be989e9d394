import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { by, dateTime, filters, flag, id, secret, sorts, text } from './fields.ts';
import {
  createDate,
  createDateRange,
  editDate,
  outranks,
  reason,
  seenVersion,
  version,
} from './named-fields.ts';
import { SHORTEST_PASSWORD } from './passwords.ts';
import { ref, refs } from './ref.ts';
import { Role } from './roles.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '操作员';

const screen = '/main/pms/operator';
const userName = text('用户名', { max: 50 });
const userNo = text('用户编号', { max: 50 });

/** Someone who signs in to the console. `password` is always `******`. */
export const Operator = z.object({
  id: id(),
  version,
  userName,
  userNo,
  password: text('登录密码'),
  hasRoles: z.array(Role.pick({ id: true, desc: true, name: true })).meta({ title: '角色' }),
  createDate,
  editDate,
  /** Until when failed sign-ins keep the account closed, and from where the last of them came. */
  lockedUntil: dateTime('锁定至').nullable(),
  lockedBy: told(text('锁定来源', { max: 100 })).nullable(),
  /** A disabled operator cannot sign in. */
  disabled: flag('账号', ['已停用', '正常']),
  /** Whether the password was given by somebody else and must be changed first of all. */
  passwordTemporary: flag('密码', ['待修改', '正常']),
  hasGoogleKey: flag('谷歌验证', ['已绑定', '未绑定']),
  lastLoginTime: dateTime('最近登录').nullable(),
  lastLoginAddress: text('最近登录地址', { max: 100 }).nullable(),
  own: flag('本人'),
  outranks,
});
export type Operator = z.infer<typeof Operator>;

/** A fresh Google key, answered once and never again. `qrCode` is a picture as a data URL. */
export const GoogleKey = z.object({
  secret: secret('谷歌密钥'),
  otpauthUrl: secret('谷歌密钥链接', { max: 1000 }),
  qrCode: secret('谷歌密钥二维码', { max: 100_000 }),
});
export type GoogleKey = z.infer<typeof GoogleKey>;

/** Operators are few and read whole, so that any column may sort them. */
const sort = sorts(
  'userName',
  'userNo',
  'disabled',
  'hasGoogleKey',
  'lastLoginTime',
  'createDate',
  'editDate',
);

export const listOperators = query('POST /pms/operator/list', {
  summary: '查询操作员',
  body: 'form',
  // The specification has this screen search by the same fields as roles: those find operators by a role they have.
  input: filters({
    userName,
    userNo: by('whole', userNo),
    desc: Role.shape.desc,
    name: Role.shape.name,
    roleId: ref('role', '角色'),
    createDateRange,
    sort,
  }),
  output: z.array(Operator),
  access: granted(screen),
});

export const addOperator = command('POST /pms/operator/add', {
  effect: 'add',
  summary: '新增操作员',
  body: 'json',
  input: z.object({ userName, password: secret('登录密码', { min: SHORTEST_PASSWORD }) }),
  output: id(),
  access: granted(screen, 'pms:operator:add'),
  stepUp: true,
});

export const updateOperator = command('POST /pms/operator/update', {
  effect: 'update',
  summary: '编辑操作员',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, userName }),
  output: id(),
  access: granted(screen, 'pms:operator:update'),
  edits: Operator.pick({ id: true, version: true, userName: true, userNo: true, editDate: true }),
});

export const deleteOperator = command('GET /pms/operator/deleteById/{id}', {
  effect: 'delete',
  summary: '删除操作员',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'pms:operator:delete'),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

const roleIds = refs('role', '角色');

/** Replaces the roles of an operator by exactly these; refused as stale where their roles are not those that were `seen`. */
export const bindOperatorRoles = command('POST /pms/operator/bindRoles/{oid}', {
  summary: '分配角色',
  body: 'array',
  input: z.object({ oid: ref('operator', '操作员'), roleIds, seen: refs('role', '打开时的角色').optional() }),
  output: z.literal(true),
  edits: z.object({ roleIds, seen: roleIds }),
  access: granted(screen, 'pms:operator:bindRole'),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

/** Opens an account that failed sign-ins have closed; the failures are forgotten. */
export const unlockOperator = command('POST /pms/operator/unlock', {
  summary: '解除登录锁定',
  body: 'json',
  input: z.object({ id: id(), reason: reason('原因') }),
  output: z.literal(true),
  access: granted(screen, 'pms:operator:unlock'),
});

export const resetGoogleKey = command('GET /pms/operator/resetGoogleKeyByOperatorId/{id}', {
  summary: '重置谷歌密钥',
  body: 'none',
  input: z.object({ id: id() }),
  output: GoogleKey,
  access: granted(screen),
  stepUp: true,
  approval: { when: 'releasersAccount', by: 'approval:release:access' },
});

export const cleanGoogleKey = command('GET /pms/operator/cleanGoogleKeyByOperatorId/{id}', {
  summary: '清除谷歌密钥',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
  stepUp: true,
  approval: { when: 'releasersAccount', by: 'approval:release:access' },
});

/** The operator's sessions end at once, on every server, and no new one begins until they are enabled again. */
export const disableOperator = command('POST /pms/operator/disable', {
  summary: '停用操作员',
  body: 'json',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'pms:operator:disable'),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

export const enableOperator = command('POST /pms/operator/enable', {
  summary: '启用操作员',
  body: 'json',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'pms:operator:disable'),
  stepUp: true,
  approval: { when: 'rightsOfOthers', by: 'approval:release:access' },
});

/** Gives somebody else a password that they must change first of all; their sessions end. */
export const resetOperatorPassword = command('POST /pms/operator/resetPassword', {
  summary: '重置操作员密码',
  body: 'json',
  input: z.object({ id: id(), password: secret('临时密码', { min: SHORTEST_PASSWORD }) }),
  output: z.literal(true),
  access: granted(screen, 'pms:operator:resetPassword'),
  stepUp: true,
  approval: { when: 'releasersAccount', by: 'approval:release:access' },
});
