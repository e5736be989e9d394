import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findOperatorSecrets, updateOperator } from '../operators/operator-store.ts';
import { hashPassword, passwordMatches } from '../sign-in/password.ts';
import { revokeSessions } from '../sign-in/token-store.ts';

const SHORTEST_PASSWORD = 8;

const wrong = (field: string, message: string) => new Refusal('invalid', { field, values: { message } });

interface PasswordForm {
  oldPassword?: string | undefined;
  newPassword?: string | undefined;
  newConfirm?: string | undefined;
}

/** The checks of the form in their fixed order, then the rules for a new password. */
function checkedForm({ oldPassword, newPassword, newConfirm }: PasswordForm): {
  oldPassword: string;
  newPassword: string;
} {
  if (!oldPassword) throw wrong('oldPassword', '旧密码不能为空');
  if (!newPassword) throw wrong('newPassword', '新密码不能为空');
  if (!newConfirm) throw wrong('newConfirm', '确认密码不能为空');
  if (newPassword !== newConfirm) throw wrong('newConfirm', '新密码不一致');
  if ([...newPassword].length < SHORTEST_PASSWORD)
    throw wrong('newPassword', `新密码至少需要 ${SHORTEST_PASSWORD} 个字符`);
  if (newPassword === oldPassword) throw new Refusal('passwordUnchanged', { field: 'newPassword' });
  return { oldPassword, newPassword };
}

export const securityHandlers = handlers({
  changePassword: async (context, form) => {
    const { oldPassword, newPassword } = checkedForm(form);
    await context.accessChanged();
    const { id, sessionId } = context.operator;
    const secrets = await findOperatorSecrets(context.db, id);
    if (!(await passwordMatches(secrets?.passwordHash, oldPassword)))
      throw new Refusal('passwordWrong', { field: 'oldPassword' });
    await updateOperator(context.db, id, { passwordHash: await hashPassword(newPassword) });
    await revokeSessions(context.db, id, sessionId);
    context.say('密码修改成功');
    return true as const;
  },
});
