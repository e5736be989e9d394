import { z } from 'zod';
import { command } from './endpoint.ts';
import { optional, secret } from './fields.ts';

/** What its calls stand under in the API document. */
export const heading = '安全中心';

/**
 * All three may be left out here, because the server answers for them with the specification's four messages in
 * their order, the same words that the console shows.
 */
export const changePassword = command('POST /system/safe/changPassword', {
  summary: '修改密码',
  about: '操作员',
  body: 'form',
  input: z.object({
    oldPassword: optional(secret('旧密码')),
    newPassword: optional(secret('新密码')),
    newConfirm: optional(secret('确认密码')),
  }),
  output: z.literal(true),
  access: 'signed-in',
});
