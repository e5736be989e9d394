import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { choice, dateTime, id, nothing, secret, text } from './fields.ts';
import { phone, userId } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '会话';

const screen = '/main/session/my-session';
const sessionId = ref('chatSession', '会话');

/** TDLib's authorization states, their first letter in upper case. */
export const authState = choice('登录状态', {
  AuthorizationStateWaitTdlibParameters: '正在启动',
  AuthorizationStateWaitPhoneNumber: '等待手机号',
  AuthorizationStateWaitPremiumPurchase: '等待开通 Telegram Premium',
  AuthorizationStateWaitEmailAddress: '等待邮箱',
  AuthorizationStateWaitEmailCode: '等待邮箱验证码',
  AuthorizationStateWaitCode: '等待验证码',
  AuthorizationStateWaitOtherDeviceConfirmation: '等待其他设备确认',
  AuthorizationStateWaitRegistration: '等待注册',
  AuthorizationStateWaitPassword: '等待二级密码',
  AuthorizationStateReady: '登录成功',
  AuthorizationStateLoggingOut: '正在退出',
  AuthorizationStateClosing: '正在关闭',
  AuthorizationStateClosed: '已关闭',
});

/**
 * A messaging account an operator signs in to for a player. `clientId` and `authState` are null until it was first
 * activated; `detail` is a sentence on what the state waits for.
 */
export const ChatSession = z.object({
  id: id(),
  userId,
  phone: phone.nullable(),
  clientId: text('客户端编号').nullable(),
  lastActivityTime: dateTime('最后活动时间').nullable(),
  authState: authState.nullable(),
  detail: told(text('说明', { max: 500 })).nullable(),
});
export type ChatSession = z.infer<typeof ChatSession>;

/** The sessions of the operator who asks, and of nobody else. */
export const listMyChatSessions = query('POST /session/mySessionList', {
  summary: '查询我的会话',
  noun: '我的会话',
  body: 'form',
  input: nothing,
  output: z.array(ChatSession),
  access: granted(screen),
});

export const getChatSession = query('GET /session/getById/{id}', {
  summary: '查询会话',
  body: 'none',
  input: z.object({ id: sessionId }),
  output: ChatSession,
  access: granted(screen),
});

/** Offered on a user's row. */
export const addChatSession = command('POST /session/add', {
  effect: 'add',
  summary: '新增会话',
  body: 'json',
  input: z.object({ userId }),
  output: id(),
  access: granted('/main/user/user'),
});

/** Starts the session's client; its state is then asked for until it is ready. */
export const activateChatSession = command('GET /session/active/{sessionId}', {
  summary: '激活会话',
  body: 'none',
  input: z.object({ sessionId }),
  output: z.literal(true),
  access: granted(screen),
});

/** Also changes the number while a code or password is awaited. With its country code; recorded nowhere but on the row. */
export const loginChatByPhone = command('GET /session/loginByPhone/{id}/{phone}', {
  summary: '提交会话手机号',
  body: 'none',
  input: z.object({ id: sessionId, phone: secret('手机号', { max: 30 }) }),
  output: z.literal(true),
  access: granted(screen),
});

export const loginChatByCode = command('GET /session/loginByCode/{id}/{code}', {
  summary: '提交会话验证码',
  body: 'none',
  input: z.object({ id: sessionId, code: secret('验证码', { max: 20 }) }),
  output: z.literal(true),
  access: granted(screen),
});

/** Has the code sent again, by the next way there is. */
export const resendChatCode = command('GET /session/resendCode/{id}', {
  summary: '重新发送会话验证码',
  body: 'none',
  input: z.object({ id: sessionId }),
  output: z.literal(true),
  access: granted(screen),
});

export const loginChatByPassword = command('GET /session/loginByPassword/{id}/{password}', {
  summary: '提交会话二级密码',
  body: 'none',
  input: z.object({ id: sessionId, password: secret('二级密码') }),
  output: z.literal(true),
  access: granted(screen),
});

export const logoutChatSession = command('GET /session/logout/{id}', {
  summary: '退出会话',
  body: 'none',
  input: z.object({ id: sessionId }),
  output: z.literal(true),
  access: granted(screen),
});

export const deleteChatSession = command('GET /session/deleteById/{id}', {
  effect: 'delete',
  summary: '删除会话',
  body: 'none',
  input: z.object({ id: sessionId }),
  output: z.literal(true),
  access: granted(screen),
});
