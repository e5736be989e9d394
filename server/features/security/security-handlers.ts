import type { Input } from '#contract/endpoint.ts';
import { firstMistake, SHORTEST_PASSWORD } from '#contract/passwords.ts';
import type { changePassword } from '#contract/security.ts';
import { handlers, prepared } from '#server/http/handler.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { replacePassword } from '../sign-in/operator-secrets.ts';
import { amongHashers, isSamePassword } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import { provenPassword } from './own-password.ts';

/** The checks of the form in their fixed order, then the rules for a new password. */
function checkedForm(form: Input<typeof changePassword>): { oldPassword: string; newPassword: string } {
  const [oldPassword, newPassword] = [form.oldPassword ?? '', form.newPassword ?? ''];
  const mistake = firstMistake({ oldPassword, newPassword, newConfirm: form.newConfirm ?? '' });
  if (mistake) throw wrong(mistake.field, mistake.text);
  if ([...newPassword].length < SHORTEST_PASSWORD)
    throw wrong('newPassword', `新密码至少需要 ${SHORTEST_PASSWORD} 个字符`);
  if (isSamePassword(newPassword, oldPassword))
    throw new Refusal('passwordUnchanged', { field: 'newPassword' });
  return { oldPassword, newPassword };
}

export const securityHandlers = handlers({
  // Hashing comes before the transaction, and what all servers wait in line for is taken only when something does change.
  changePassword: prepared(async (context, form) => {
    const { oldPassword, newPassword } = checkedForm(form);
    const { id, sessionId, userName } = context.operator;
    demandAcceptablePassword(newPassword, userName, 'newPassword');
    const change = await amongHashers(context.address, async (hashing) => {
      const notTheOld = new Refusal('passwordWrong', { field: 'oldPassword' });
      const from = await provenPassword(context, hashing, oldPassword, notTheOld);
      return { from, to: await hashing.hash(newPassword) };
    });
    return async (inside) => {
      await inside.accessChanged({ operatorIds: [id] });
      inside.remark({ targetId: id });
      await replacePassword(inside.db, id, change);
      await revokeSessions(inside.db, id, sessionId);
      inside.say('密码修改成功');
      return true as const;
    };
  }),
});
