import { menuIdsOfRoles } from '#server/access/access-store.ts';
import {
  demandFullRightsRemain,
  demandHeld,
  demandRankOverOperator,
  demandSeen,
} from '#server/access/grant-rules.ts';
import type { Db } from '#server/db/database.ts';
import { added, locked, removed, rowsExist } from '#server/db/rows.ts';
import { handlers, prepared } from '#server/http/handler.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { clearGoogleKey, replaceGoogleKey } from '../sign-in/google-key-store.ts';
import { drawnKey } from '../sign-in/one-time-code.ts';
import { findOperatorByName } from '../sign-in/operator-secrets.ts';
import { amongHashers } from '../sign-in/password.ts';
import { demandAcceptablePassword } from '../sign-in/password-rules.ts';
import { lacksSecondFactor } from '../sign-in/second-factor.ts';
import * as throttle from '../sign-in/throttle-store.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import { acceptableName, foldedName } from '../sign-in/user-name.ts';
import * as store from './operator-store.ts';
import { targetOperator } from './operator-target.ts';

const nameTaken = () => new Refusal('taken', { field: 'userName', values: { what: '用户名' } });

/** A name may be the same in another way of writing, which no unique index sees, or be taken for another at a glance. */
async function demandFreeName(db: Db, userName: string, ownId?: number): Promise<void> {
  await store.holdNames(db);
  const namesake = await findOperatorByName(db, userName);
  if (namesake && namesake.id !== ownId) throw nameTaken();
  const double = await store.findLookAlike(db, userName, ownId);
  if (double !== undefined) throw wrong('userName', `用户名与操作员“${double}”过于相像，容易混淆`);
}

export const operatorsHandlers = handlers({
  listOperators: ({ db, operator }, filter) => store.listOperators(db, filter, operator),

  addOperator: prepared(async ({ address }, { userName: typed, password }) => {
    const userName = acceptableName(typed);
    demandAcceptablePassword(password, userName, 'password');
    const passwordHash = await amongHashers(address, (hashing) => hashing.hash(password));
    return async ({ db }) => {
      await demandFreeName(db, userName);
      return (await added(db, 'operator', { userName, passwordHash })).id;
    };
  }),

  updateOperator: async (context, { id, version, userName: typed }) => {
    const { db, operator } = context;
    await context.accessChanged({ operatorIds: [id] });
    await store.changeOperator(db, { id, version }, async (before) => {
      await demandRankOverOperator(db, operator, id);
      // A name of before the rules for names may stay.
      if (typed === before.userName) return {};
      const userName = acceptableName(typed);
      await demandFreeName(db, userName, id);
      return { userName };
    });
    return id;
  },

  deleteOperator: async ({ db, operator, accessChanged }, { id }) => {
    if (id === operator.id) throw new Refusal('deleteSelf');
    await accessChanged({ operatorIds: [id] });
    await removed(db, 'operator', id, () => demandRankOverOperator(db, operator, id));
    await demandFullRightsRemain(db);
    return true as const;
  },

  bindOperatorRoles: async (context, { oid, roleIds, seen }) => {
    await targetOperator(context, oid);
    const wanted = [...new Set(roleIds)];
    if (!(await rowsExist(context.db, 'role', wanted))) throw new Refusal('recordNotFound');
    demandHeld(context.operator, await menuIdsOfRoles(context.db, wanted));
    const before = await store.roleIdsOf(context.db, oid);
    demandSeen(seen, before, 'roleIds');
    await store.replaceRoles(context.db, oid, wanted);
    await demandFullRightsRemain(context.db);
    context.remark({ before, after: wanted });
    return true as const;
  },

  unlockOperator: async ({ db, operator, remark }, { id }) => {
    const seen = await store.findOperator(db, id);
    if (!seen) throw new Refusal('recordNotFound');
    const account = foldedName(seen.userName);
    // In the order of a sign-in: the line of the account, then its operator.
    await throttle.lock(db, 'account', account);
    const { userName } = await locked(db, 'operator', id);
    await demandRankOverOperator(db, operator, id);
    const seconds = await throttle.secondsClosed(db, 'account', account);
    if (seconds === 0) throw new Refusal('notLocked');
    await throttle.forgetFailures(db, 'account', account);
    remark({ before: { userName, lockedSeconds: seconds } });
    return true as const;
  },

  // The picture is drawn before anybody has to wait in line.
  resetGoogleKey: prepared(async ({ db }, { id }) => {
    const operator = await store.findOperator(db, id);
    if (!operator) throw new Refusal('recordNotFound');
    const key = await drawnKey(operator.userName);
    return async (context) => {
      await targetOperator(context, id);
      await replaceGoogleKey(context, id, key.secret);
      await revokeSessions(context.db, id, context.operator.sessionId);
      return key;
    };
  }),

  cleanGoogleKey: async (context, { id }) => {
    await targetOperator(context, id);
    await clearGoogleKey(context.db, id);
    if (await lacksSecondFactor(context.db, id)) await revokeSessions(context.db, id);
    return true as const;
  },
});
