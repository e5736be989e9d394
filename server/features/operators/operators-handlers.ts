import { type Context, handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { menuIdsOfRoles } from '../access/access-store.ts';
import { demandFullRightsRemain, demandHeld, demandRankOverOperator } from '../access/grant-rules.ts';
import { lacksSecondFactor } from '../params-settings/second-factor.ts';
import { existingRoleIds } from '../roles/role-store.ts';
import { clearGoogleKey, replaceGoogleKey } from '../sign-in/google-key-store.ts';
import { drawnKey } from '../sign-in/one-time-code.ts';
import { amongHashers } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import * as throttle from '../sign-in/throttle-store.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import * as store from './operator-store.ts';
import { acceptableName, foldedName } from './user-name.ts';

/** Takes the place in line, and gives the operator meant when the caller may touch them. */
async function target(context: Context, id: number) {
  await context.accessChanged();
  const operator = await store.findOperator(context.db, id);
  if (!operator) throw new Refusal('recordNotFound');
  await demandRankOverOperator(context.db, context.operator, id);
  return operator;
}

const nameTaken = () => new Refusal('taken', { field: 'userName', values: { what: '用户名' } });

export const operatorsHandlers = handlers({
  listOperators: ({ db }, filter) => store.listOperators(db, filter),

  addOperator: prepared(async ({ address }, { userName: typed, password }) => {
    const userName = acceptableName(typed);
    demandAcceptablePassword(password, userName, 'password');
    const passwordHash = await amongHashers(address, (hashing) => hashing.hash(password));
    return async ({ db, remark }) => {
      if (await store.findOperatorByName(db, userName)) throw nameTaken();
      const id = await store.insertOperator(db, userName, passwordHash);
      if (id === undefined) throw nameTaken();
      remark({ targetId: id, after: { id, userName } });
      return id;
    };
  }),

  updateOperator: async (context, { id, userName: typed }) => {
    const before = await target(context, id);
    // A name of before the rules for names may stay.
    const userName = typed === before.userName ? typed : acceptableName(typed);
    const namesake = await store.findOperatorByName(context.db, userName);
    if (namesake && namesake.id !== id) throw nameTaken();
    await store.updateOperator(context.db, id, { userName });
    context.remark({ before, after: { ...before, userName } });
    return id;
  },

  deleteOperator: async (context, { id }) => {
    if (id === context.operator.id) throw new Refusal('deleteSelf');
    const before = await target(context, id);
    await store.deleteOperator(context.db, id);
    await demandFullRightsRemain(context.db);
    context.remark({ before });
    return true as const;
  },

  bindOperatorRoles: async (context, { oid, roleIds }) => {
    await target(context, oid);
    const wanted = [...new Set(roleIds)];
    if ((await existingRoleIds(context.db, wanted)).length !== wanted.length)
      throw new Refusal('recordNotFound');
    demandHeld(context.operator, await menuIdsOfRoles(context.db, wanted));
    const before = await store.roleIdsOf(context.db, oid);
    await store.replaceRoles(context.db, oid, wanted);
    await demandFullRightsRemain(context.db);
    context.remark({ targetId: oid, before, after: wanted });
    return true as const;
  },

  unlockOperator: async ({ db, operator, remark }, { id }) => {
    const locked = await store.findOperator(db, id);
    if (!locked) throw new Refusal('recordNotFound');
    await demandRankOverOperator(db, operator, id);
    const account = foldedName(locked.userName);
    await throttle.lock(db, 'account', account);
    const seconds = await throttle.secondsClosed(db, 'account', account);
    if (seconds === 0) throw new Refusal('notLocked');
    await throttle.forgetFailures(db, 'account', account);
    remark({ before: { userName: locked.userName, lockedSeconds: seconds } });
    return true as const;
  },

  // The picture is drawn before anybody has to wait in line.
  resetGoogleKey: prepared(async ({ db }, { id }) => {
    const operator = await store.findOperator(db, id);
    if (!operator) throw new Refusal('recordNotFound');
    const key = await drawnKey(operator.userName);
    return async (context) => {
      await target(context, id);
      await replaceGoogleKey(context, id, key.secret);
      await revokeSessions(context.db, id, context.operator.sessionId);
      return key;
    };
  }),

  cleanGoogleKey: async (context, { id }) => {
    await target(context, id);
    await clearGoogleKey(context.db, id);
    if (await lacksSecondFactor(context.db, id)) await revokeSessions(context.db, id);
    return true as const;
  },
});
