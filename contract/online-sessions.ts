import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, flag, id, paged, pageOf, range, sorts, text } from './fields.ts';
import { operatorName, outranks, userAgent } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '在线会话';

const screen = '/main/pms/online-session';
const address = text('登录地址', { max: 100 });

/** A sign-in that is not over. */
export const OnlineSession = z.object({
  id: text('登录编号', { max: 36 }),
  operatorId: id('操作员编号'),
  userName: operatorName,
  createTime: dateTime('登录时间'),
  /** To some seconds. */
  lastUseTime: dateTime('最近使用'),
  address,
  lastAddress: text('最近地址', { max: 100 }),
  agent: userAgent,
  /** Whether it is the caller's own. */
  current: flag('本次登录'),
  outranks,
});
export type OnlineSession = z.infer<typeof OnlineSession>;

/** The ones used last come first. `userName` and `address` are parts. */
export const pageOnlineSessions = query('POST /pms/onlineSession/page', {
  summary: '分页查询在线会话',
  body: 'form',
  input: paged({
    ...{ userName: operatorName, address, createTimeRange: range('登录时间') },
    sort: sorts('userName', 'createTime', 'lastUseTime'),
  }),
  output: pageOf(OnlineSession),
  access: granted(screen),
});

/** Ends somebody's sign-in at once, on every server. */
export const endOnlineSession = command('POST /pms/onlineSession/end', {
  summary: '下线',
  body: 'json',
  input: z.object({
    // As the list has it: a session is known by the letters of its number, whatever else PostgreSQL takes for the same one.
    id: text('登录编号', { max: 36 }).refine(
      (value) => z.uuid().safeParse(value).success && value === value.toLowerCase(),
      { error: '格式不正确' },
    ),
  }),
  output: z.literal(true),
  access: granted(screen, 'pms:onlineSession:end'),
});

/** Ends all sign-ins of an operator at once; of one's own all but the one that asks. */
export const endOperatorSessions = command('POST /pms/onlineSession/endAll', {
  summary: '全部下线',
  about: '操作员',
  body: 'json',
  input: z.object({ operatorId: id('操作员编号') }),
  output: z.literal(true),
  access: granted(screen, 'pms:onlineSession:end'),
});
