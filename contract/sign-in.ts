import { z } from 'zod';
import { consoleLanguage } from './console-settings.ts';
import { command, query } from './endpoint.ts';
import { integer, nothing, optional, secret, text } from './fields.ts';

/** What its calls stand under in the API document. */
export const heading = '登录';

const token = (label: string) => secret(label, { max: 4096 });

/**
 * Names the session (a token's `jti`) that the caller believes to be in. Where the token is another session's the call is
 * refused: a window that still shows somebody else must not act in the name of whoever signed in since.
 */
export const SESSION_HEADER = 'x-session';

/** The tokens of a session. `expires_in` is the life of the access token in seconds. */
export const Token = z.object({
  access_token: token('访问令牌'),
  token_type: text('令牌类型'),
  refresh_token: token('刷新令牌'),
  expires_in: integer('有效秒数', { min: 0 }),
  scope: text('权限范围', { min: 0 }),
  jti: text('令牌编号'),
});
export type Token = z.infer<typeof Token>;

/** What a sign-in and its renewals answer besides: the account's name as it is now, however it was typed. */
const SignIn = Token.extend({ userName: text('用户名', { max: 50 }) });
export type SignIn = z.infer<typeof SignIn>;

/** What a sign-in answers: also the language that its operator has chosen, if they ever have. */
const SignedIn = SignIn.extend({ language: consoleLanguage.optional() });
export type SignedIn = z.infer<typeof SignedIn>;

/** What the login page may know before anyone has signed in: the sample account, only while sample data is on. */
export const PublicSettings = z.object({
  sampleAccount: z.object({ username: text('登录账号'), password: text('登录密码') }).optional(),
});
export type PublicSettings = z.infer<typeof PublicSettings>;

export const login = command('POST /login', {
  summary: '登录',
  body: 'form',
  input: z.object({
    username: text('登录账号', { max: 50 }),
    password: secret('登录密码'),
    googleCode: optional(secret('谷歌验证码', { max: 20 })),
  }),
  output: SignedIn,
  access: 'public',
});

/**
 * Spends a refresh token for a new pair. A spent one gives the same pair for some seconds, as long as that is unused; using it
 * again after that revokes all tokens that came from it.
 */
export const refreshToken = command('POST /refreshToken', {
  summary: '刷新令牌',
  body: 'form',
  input: z.object({ refresh_token: token('刷新令牌') }),
  output: SignIn,
  access: 'public',
});

export const logout = command('GET /logout', {
  summary: '退出登录',
  body: 'none',
  input: nothing,
  output: z.literal(true),
  access: 'signed-in',
});

export const publicSettings = query('GET /public/settings', {
  summary: '查询登录页设置',
  body: 'none',
  input: nothing,
  output: PublicSettings,
  access: 'public',
});
