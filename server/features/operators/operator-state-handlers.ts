import { type Context, handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandFullRightsRemain, demandRankOverOperator } from '../access/grant-rules.ts';
import { amongHashers } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import * as store from './operator-state-store.ts';
import { findOperator } from './operator-store.ts';

/** Takes the place in line, and gives the operator meant, who is not the caller and within the caller's reach. */
async function other(context: Context, id: number, self: 'disableSelf' | 'resetSelf') {
  await context.accessChanged();
  if (id === context.operator.id) throw new Refusal(self);
  const operator = await findOperator(context.db, id);
  if (!operator) throw new Refusal('recordNotFound');
  await demandRankOverOperator(context.db, context.operator, id);
  return operator;
}

export const operatorStateHandlers = handlers({
  disableOperator: async (context, { id }) => {
    const { userName } = await other(context, id, 'disableSelf');
    if (!(await store.setDisabled(context.db, id, true))) throw new Refusal('alreadyDisabled');
    await demandFullRightsRemain(context.db);
    await revokeSessions(context.db, id);
    context.remark({ before: { userName, disabled: false }, after: { userName, disabled: true } });
    context.say('已停用');
    return true as const;
  },

  enableOperator: async (context, { id }) => {
    const { userName } = await other(context, id, 'disableSelf');
    if (!(await store.setDisabled(context.db, id, false))) throw new Refusal('notDisabled');
    // A sign-in that was under way when the account was disabled must not come alive now.
    await revokeSessions(context.db, id);
    context.remark({ before: { userName, disabled: true }, after: { userName, disabled: false } });
    context.say('已启用');
    return true as const;
  },

  resetOperatorPassword: prepared(async ({ db, address }, { id, password }) => {
    const operator = await findOperator(db, id);
    if (!operator) throw new Refusal('recordNotFound');
    demandAcceptablePassword(password, operator.userName, 'password');
    const passwordHash = await amongHashers(address, (hashing) => hashing.hash(password));
    return async (context) => {
      const { userName } = await other(context, id, 'resetSelf');
      await store.giveTemporaryPassword(context.db, id, passwordHash);
      await revokeSessions(context.db, id);
      context.remark({ after: { userName, passwordTemporary: true } });
      context.say('密码已重置，请把临时密码告诉本人，登录后须先修改');
      return true as const;
    };
  }),
});
