import type { Input } from '#contract/endpoint.ts';
import type { changePassword } from '#contract/security.ts';
import { type Context, handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findOperatorSecrets, replacePassword } from '../operators/operator-store.ts';
import { amongHashers } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import * as throttle from '../sign-in/throttle-store.ts';
import { revokeSessions } from '../sign-in/token-store.ts';

const SHORTEST_PASSWORD = 8;

const wrong = (field: string, message: string) => new Refusal('invalid', { field, values: { message } });

const closedFor = (seconds: number) =>
  new Refusal('passwordLocked', { values: { seconds }, retryAfter: seconds });

/** The checks of the form in their fixed order, then the rules for a new password. */
function checkedForm({ oldPassword, newPassword, newConfirm }: Input<typeof changePassword>): {
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

/** Counts a wrong old password of an operator, in a line of their own; gives what the change is refused with. */
async function judgeOldPassword(
  { db, address }: Context,
  operator: string,
  isRight: boolean,
): Promise<Refusal | undefined> {
  return db.transaction().execute(async (tx) => {
    await throttle.lock(tx, 'password', operator);
    const seconds = await throttle.secondsClosed(tx, 'password', operator);
    if (seconds > 0) return closedFor(seconds);
    if (isRight) {
      await throttle.forgetFailures(tx, 'password', operator);
      return undefined;
    }
    await throttle.recordFailure(tx, 'password', operator, address);
    return new Refusal('passwordWrong', { field: 'oldPassword' });
  });
}

export const securityHandlers = handlers({
  // Hashing comes before the transaction, and what all servers wait in line for is taken only when something does change.
  changePassword: prepared(async (context, form) => {
    const { oldPassword, newPassword } = checkedForm(form);
    const { db, address } = context;
    const { id, sessionId, userName } = context.operator;
    demandAcceptablePassword(newPassword, userName, 'newPassword');
    const operator = String(id);
    const change = await amongHashers(address, async (hashing) => {
      const seconds = await throttle.secondsClosed(db, 'password', operator);
      if (seconds > 0) throw closedFor(seconds);
      const from = (await findOperatorSecrets(db, id))?.passwordHash;
      const isRight = await hashing.matches(from, oldPassword);
      const refusal = await judgeOldPassword(context, operator, isRight);
      if (refusal || from === undefined) throw refusal ?? new Refusal('unauthenticated');
      return { from, to: await hashing.hash(newPassword) };
    });
    return async (inside) => {
      await inside.accessChanged();
      if (!(await replacePassword(inside.db, id, change)))
        throw new Refusal('passwordWrong', { field: 'oldPassword' });
      await revokeSessions(inside.db, id, sessionId);
      inside.say('密码修改成功');
      return true as const;
    };
  }),
});
