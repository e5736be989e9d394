/** So many characters a new password has at least. */
export const SHORTEST_PASSWORD = 8;

interface Passwords {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newConfirm: string;
}

interface Mistake {
  readonly field: keyof Passwords;
  readonly text: string;
}

/** The first thing wrong with a change of password, in the specification's order and words: console and server say the same. */
export function firstMistake({ oldPassword, newPassword, newConfirm }: Passwords): Mistake | null {
  if (oldPassword === '') return { field: 'oldPassword', text: '旧密码不能为空' };
  if (newPassword === '') return { field: 'newPassword', text: '新密码不能为空' };
  if (newConfirm === '') return { field: 'newConfirm', text: '确认密码不能为空' };
  return newPassword === newConfirm ? null : { field: 'newConfirm', text: '新密码不一致' };
}
