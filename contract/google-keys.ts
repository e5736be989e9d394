import { z } from 'zod';
import { command, query } from './endpoint.ts';
import { flag, integer, nothing, optional, secret } from './fields.ts';
import { GoogleKey } from './operators.ts';

/** What its calls stand under in the API document. */
export const heading = '谷歌验证';

const googleCode = secret('谷歌验证码', { max: 20 });
const password = secret('登录密码');

/** How the caller's own second factor stands. */
export const OwnGoogleKey = z.object({
  bound: flag('谷歌验证', ['已绑定', '未绑定']),
  recoveryCodesLeft: integer('剩余恢复码', { min: 0 }),
});
export type OwnGoogleKey = z.infer<typeof OwnGoogleKey>;

/** Recovery codes, answered once and never again; each takes the place of a Google code one time. */
export const RecoveryCodes = z.object({
  codes: z.array(secret('恢复码', { max: 20 })).meta({ title: '恢复码' }),
});
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const getOwnGoogleKey = query('GET /system/safe/googleKey', {
  summary: '查询自己的谷歌验证',
  body: 'none',
  input: nothing,
  output: OwnGoogleKey,
  access: 'signed-in',
});

/**
 * Answers a fresh key, which counts for nothing until it is confirmed. Whoever has a key already proves it by one of its codes, or by
 * a recovery code where the phone is lost.
 */
export const beginGoogleKey = command('POST /system/safe/googleKey/begin', {
  summary: '开始绑定谷歌验证',
  body: 'json',
  input: z.object({ password, code: optional(secret('当前验证码或恢复码', { max: 20 })) }),
  output: GoogleKey,
  access: 'signed-in',
});

/** Binds the key begun, by a first code of it. The caller's other sessions end, and earlier recovery codes count no more. */
export const confirmGoogleKey = command('POST /system/safe/googleKey/confirm', {
  summary: '绑定谷歌验证',
  body: 'json',
  input: z.object({ googleCode }),
  output: RecoveryCodes,
  access: 'signed-in',
});

/** Gives new recovery codes; earlier ones count no more. */
export const renewRecoveryCodes = command('POST /system/safe/recoveryCodes/renew', {
  summary: '重新生成恢复码',
  body: 'json',
  input: z.object({ password, googleCode }),
  output: RecoveryCodes,
  access: 'signed-in',
});

/** Gives a fresh code in this session: for some minutes calls that ask for one go through. */
export const confirmStepUp = command('POST /system/safe/stepUp', {
  summary: '谷歌验证码确认',
  body: 'json',
  input: z.object({ googleCode }),
  output: z.literal(true),
  access: 'signed-in',
});
