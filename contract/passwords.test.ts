import { expect, test } from 'vitest';
import { firstMistake } from './passwords.ts';

test.each([
  ['', '', '', '旧密码不能为空'],
  ['', 'a', 'b', '旧密码不能为空'],
  ['x', '', 'b', '新密码不能为空'],
  ['x', 'a', '', '确认密码不能为空'],
  ['x', 'a', 'b', '新密码不一致'],
  ['x', 'a', 'a', undefined],
])('old %j, new %j, confirm %j: %s', (oldPassword, newPassword, newConfirm, text) => {
  expect(firstMistake({ oldPassword, newPassword, newConfirm })?.text).toBe(text);
});
