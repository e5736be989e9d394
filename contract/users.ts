import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, flag, id, optionals, paged, pageOf, range, sorts, text } from './fields.ts';
import {
  agentId,
  email,
  givenAgentId,
  level,
  nickName,
  parentId,
  phone,
  realName,
  reason,
  userId,
  username,
} from './named-fields.ts';
import { namesRow } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '用户';

const screen = '/main/user/user';
const ownId = id('用户编号');

const frozen = flag('投注状态', ['已冻结', '正常']);
const testAccount = flag('测试账号', ['测试', '真实']);
/** Until when a player asked to be kept from betting and paying in. */
export const excludedUntil = dateTime('自我禁投至');

const own = <S extends z.ZodType>(schema: S): S => namesRow(schema, 'user', 'id');

/**
 * A player. `parentId` is who invited them, `agentId` the agent they belong to. One who is frozen places no bets and pays nothing in, and one
 * who asked to be excluded does neither until then. A test account's slips stand in no report.
 */
export const User = z.object({
  id: own(ownId),
  username: own(username).nullable(),
  realName: realName.nullable(),
  nickName: own(nickName),
  agentId: agentId.nullable(),
  level,
  phone: phone.nullable(),
  parentId: parentId.nullable(),
  email: email.nullable(),
  createTime: dateTime('注册时间'),
  frozen,
  freezeReason: text('冻结原因', { max: 500 }).nullable(),
  excludedUntil: excludedUntil.nullable(),
  testAccount,
});
export type User = z.infer<typeof User>;

export const pageUsers = query('POST /user/user/page', {
  summary: '分页查询用户',
  body: 'form',
  input: paged({
    id: ownId,
    username,
    realName,
    nickName,
    agentId,
    level,
    phone,
    email,
    createTimeRange: range('注册时间'),
    frozen,
    testAccount,
    sort: sorts('id', 'level', 'createTime'),
  }),
  output: pageOf(User),
  access: granted(screen),
});

/** What a player is entered with. */
export const newUser = {
  nickName,
  ...optionals({ username, realName, agentId: givenAgentId, parentId, phone, email, level }),
};

export const addUser = command('POST /user/user/add', {
  effect: 'add',
  summary: '新增用户',
  body: 'json',
  input: z.object(newUser),
  output: id(),
  access: granted(screen),
  imports: true,
});

/** From now on the player places no bets and no deposits; those placed stay. */
export const freezeUser = command('POST /user/user/freeze', {
  summary: '冻结用户',
  body: 'form',
  input: z.object({ userId, reason: reason('冻结原因') }),
  output: z.literal(true),
  access: granted(screen, 'user:user:freeze'),
});

export const unfreezeUser = command('POST /user/user/unfreeze', {
  summary: '解冻用户',
  body: 'form',
  input: z.object({ userId, reason: reason('解冻原因') }),
  output: z.literal(true),
  access: granted(screen, 'user:user:freeze'),
});

/** What a player asked for: no bets and no deposits until then. It can be made longer, never shorter. */
export const excludeUser = command('POST /user/user/exclude', {
  summary: '自我禁投',
  body: 'form',
  input: z.object({ userId, excludedUntil, reason: reason('原因') }),
  output: z.literal(true),
  access: granted(screen, 'user:user:freeze'),
});

/** Slips placed from now on are, or are no longer, those of a test account. */
export const markTestAccount = command('POST /user/user/markTest', {
  summary: '标记测试账号',
  body: 'form',
  input: z.object({ userId, testAccount }),
  output: z.literal(true),
  access: granted(screen, 'user:user:freeze'),
});
