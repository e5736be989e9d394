import { describe, expect, it } from 'vitest';
import { sentenceOf } from './td-errors.ts';
import { TdError } from './td-library.ts';

describe('an error of TDLib in plain Chinese', () => {
  it.each([
    [400, 'PHONE_NUMBER_INVALID', '手机号无效，请连同国家代码填写，例如 +8613800138000'],
    [400, 'PHONE_CODE_INVALID', '验证码错误'],
    [400, 'PHONE_CODE_EXPIRED', '验证码已过期，请重新发送'],
    [400, 'PASSWORD_HASH_INVALID', '二级密码错误'],
    [420, 'FLOOD_WAIT_86400', '操作过于频繁，请 86400 秒后再试'],
    [420, 'FLOOD_PREMIUM_WAIT_5', '操作过于频繁，请 5 秒后再试'],
    [429, 'Too Many Requests: retry after 30', '操作过于频繁，请 30 秒后再试'],
    [401, 'Wrong database encryption key', '本机保存的登录数据无法解密，请删除该会话后重新添加'],
    [
      400,
      'Can\'t lock file "/x/td.binlog", because it is already in use',
      '会话的数据正被另一个程序使用，请稍后再试',
    ],
    [500, 'Request aborted', 'Telegram 服务暂时不可用，请稍后再试'],
    [500, 'INTERNAL', 'Telegram 服务暂时不可用，请稍后再试'],
    [400, 'SOMETHING_NEW', 'Telegram 拒绝了请求（400 SOMETHING_NEW）'],
  ])('%i %s', (code, message, sentence) => {
    expect(sentenceOf(new TdError(code, message))).toBe(sentence);
  });
});
