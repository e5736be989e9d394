import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, id, paged, pageOf, range, sorts } from './fields.ts';
import { agentId, email, level, nickName, parentId, phone, realName, username } from './named-fields.ts';

const screen = '/main/user/user';
const ownId = id('用户编号');

/** A player. `parentId` is who invited them, `agentId` the agent they belong to. */
export const User = z.object({
  id: ownId,
  username: username.nullable(),
  realName: realName.nullable(),
  nickName,
  agentId: agentId.nullable(),
  level,
  phone: phone.nullable(),
  parentId: parentId.nullable(),
  email: email.nullable(),
  createTime: dateTime('注册时间'),
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
    sort: sorts('id', 'level', 'createTime'),
  }),
  output: pageOf(User),
  access: granted(screen),
});

export const addUser = command('POST /user/user/add', {
  summary: '新增用户',
  body: 'json',
  input: z.object({ nickName }),
  output: id(),
  access: granted(screen),
});
