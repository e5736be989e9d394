import { demandFullRightsRemain } from '#server/access/grant-rules.ts';
import { handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { amongHashers } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import { forgetFailures } from '../sign-in/throttle-store.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import { changeOperator, findOperator } from './operator-store.ts';
import { targetOperator } from './operator-target.ts';

export const operatorStateHandlers = handlers({
  disableOperator: async (context, { id }) => {
    await targetOperator(context, id, 'disableSelf');
    await changeOperator(context.db, { id }, ({ disabled }) => {
      if (disabled) throw new Refusal('alreadyDisabled');
      return { disabled: true };
    });
    await demandFullRightsRemain(context.db);
    await revokeSessions(context.db, id);
    context.say('已停用');
    return true as const;
  },

  enableOperator: async (context, { id }) => {
    await targetOperator(context, id, 'disableSelf');
    await changeOperator(context.db, { id }, ({ disabled }) => {
      if (!disabled) throw new Refusal('notDisabled');
      return { disabled: false };
    });
    // A sign-in that was under way when the account was disabled must not come alive now.
    await revokeSessions(context.db, id);
    context.say('已启用');
    return true as const;
  },

  resetOperatorPassword: prepared(async ({ db, address }, { id, password }) => {
    const operator = await findOperator(db, id);
    if (!operator) throw new Refusal('recordNotFound');
    demandAcceptablePassword(password, operator.userName, 'password');
    const passwordHash = await amongHashers(address, (hashing) => hashing.hash(password));
    return async (context) => {
      await targetOperator(context, id, 'resetSelf');
      await changeOperator(context.db, { id }, () => ({ passwordHash, passwordTemporary: true }));
      await revokeSessions(context.db, id);
      // Wrong tries of the password before must not keep its operator from changing this one.
      await forgetFailures(context.db, 'password', String(id));
      context.say('密码已重置，请把临时密码告诉本人，登录后须先修改');
      return true as const;
    };
  }),
});
