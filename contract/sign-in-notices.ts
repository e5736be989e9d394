import { z } from 'zod';
import { command, query } from './endpoint.ts';
import { dateTime, flag, id, nothing, optional, secret, text } from './fields.ts';
import { email, userAgent } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '登录提醒';

/** A place somebody signed in from as the caller for the first time, which the caller has not taken note of. */
export const NewAddress = z.object({
  id: id(),
  address: text('登录地址', { max: 100 }),
  agent: userAgent,
  firstTime: dateTime('首次登录'),
  /** Whether this session is there itself: nobody takes note of a place from that place on its first day. */
  own: flag('本次登录所在'),
});
export type NewAddress = z.infer<typeof NewAddress>;

export const SignInNotices = z.object({
  /** Where the caller is told, too. */
  email: email.nullable(),
  addresses: z.array(NewAddress),
});
export type SignInNotices = z.infer<typeof SignInNotices>;

export const getSignInNotices = query('GET /system/safe/notices', {
  summary: '查询自己的登录提醒',
  body: 'none',
  input: nothing,
  output: SignInNotices,
  access: 'signed-in',
});

/** Takes note of new addresses: they are not told any more. On their first day that takes a place that is known already. */
export const noteAddresses = command('POST /system/safe/notices/note', {
  summary: '确认新登录地址',
  about: '操作员',
  body: 'json',
  input: nothing,
  output: z.literal(true),
  access: 'signed-in',
});

/** Where the caller is told of new addresses, too; nowhere when left out. */
export const setOwnEmail = command('POST /system/safe/email', {
  summary: '设置提醒邮箱',
  about: '操作员',
  body: 'json',
  input: z.object({ email: optional(email), password: secret('登录密码') }),
  output: z.literal(true),
  access: 'signed-in',
});
