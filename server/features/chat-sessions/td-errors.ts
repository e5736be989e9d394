import { Refusal } from '#server/refusal.ts';
import { TdError } from './td-library.ts';

/** TDLib's and Telegram's error texts, as an operator reads them. */
const sentences: Readonly<Record<string, string>> = {
  PHONE_NUMBER_INVALID: '手机号无效，请连同国家代码填写，例如 +8613800138000',
  PHONE_NUMBER_BANNED: '该手机号已被 Telegram 封禁',
  PHONE_NUMBER_FLOOD: '该手机号请求登录过于频繁，请过几小时再试',
  PHONE_NUMBER_UNOCCUPIED: '该手机号尚未注册 Telegram，请先在手机上注册',
  PHONE_NUMBER_APP_SIGNUP_FORBIDDEN: '该手机号尚未注册 Telegram，请先在手机上注册',
  PHONE_PASSWORD_FLOOD: '登录尝试过于频繁，请过几小时再试',
  PHONE_PASSWORD_PROTECTED: '该账号设置了二级密码，请输入二级密码',
  PHONE_CODE_INVALID: '验证码错误',
  PHONE_CODE_EMPTY: '验证码不能为空',
  PHONE_CODE_EXPIRED: '验证码已过期，请重新发送',
  PHONE_CODE_HASH_EMPTY: '验证码已失效，请重新发送',
  CODE_INVALID: '验证码错误',
  CODE_EMPTY: '验证码不能为空',
  EMAIL_VERIFY_EXPIRED: '邮箱验证码已过期，请重新发送',
  EMAIL_TOKEN_INVALID: '邮箱验证码错误',
  PASSWORD_HASH_INVALID: '二级密码错误',
  PASSWORD_EMPTY: '二级密码不能为空',
  SESSION_PASSWORD_NEEDED: '该账号设置了二级密码，请输入二级密码',
  SRP_ID_INVALID: '登录步骤已过期，请再试一次',
  SRP_PASSWORD_CHANGED: '二级密码已被修改，请再试一次',
  AUTH_RESTART: '登录步骤已过期，请重新提交手机号',
  AUTH_KEY_UNREGISTERED: '登录已失效，请重新登录',
  AUTH_KEY_DUPLICATED: '该登录在别处被使用，已失效，请重新登录',
  SESSION_REVOKED: '登录已在其他设备上被退出，请重新登录',
  SESSION_EXPIRED: '登录已过期，请重新登录',
  USER_DEACTIVATED: '该账号已注销',
  USER_DEACTIVATED_BAN: '该账号已被 Telegram 封禁',
  API_ID_INVALID: 'TELEGRAM_API_ID 或 TELEGRAM_API_HASH 不正确，请联系系统管理员',
  API_ID_PUBLISHED_FLOOD: '该 TELEGRAM_API_ID 已被 Telegram 停用，请联系系统管理员',
  SEND_CODE_UNAVAILABLE: '验证码已用完所有发送方式，请稍后重新提交手机号',
  UPDATE_APP_TO_LOGIN: 'Telegram 要求更新聊天组件后才能登录，请联系系统管理员',
  'Wrong database encryption key': '本机保存的登录数据无法解密，请删除该会话后重新添加',
  "Can't lock file": '会话的数据正被另一个程序使用，请稍后再试',
  "Authentication code can't be resent": '验证码现在不能重新发送，请稍后再试',
  'Wrong phone number': '手机号无效，请连同国家代码填写，例如 +8613800138000',
};

const seconds = /(?:^FLOOD_(?:PREMIUM_)?WAIT_|retry after )(\d+)/i;

/** The Chinese sentence for an error of TDLib; `FLOOD_WAIT_n` and its like name the seconds. */
export function sentenceOf({ code, message }: TdError): string {
  const wait = seconds.exec(message)?.[1];
  if (wait) return `操作过于频繁，请 ${wait} 秒后再试`;
  const known = Object.entries(sentences).find(
    ([text]) => message === text || message.startsWith(`${text} `),
  );
  if (known) return known[1];
  const begun = Object.entries(sentences).find(([text]) => text.includes(' ') && message.startsWith(text));
  if (begun) return begun[1];
  return code >= 500 || message === 'Request aborted'
    ? 'Telegram 服务暂时不可用，请稍后再试'
    : `Telegram 拒绝了请求（${code} ${message.replaceAll(/[^\w .,:'-]/g, '').slice(0, 80)}）`;
}

/** What TDLib turned down, as a refusal at the field that was sent. */
export function refusalOf(error: TdError, field?: string): Refusal {
  const values = { message: sentenceOf(error) };
  return new Refusal('chatRejected', field ? { values, field } : { values });
}

export const isTdError = (error: unknown): error is TdError => error instanceof TdError;
