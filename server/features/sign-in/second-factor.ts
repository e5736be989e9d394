import { flag } from '#contract/fields.ts';
import { operatorsHoldingAll } from '#server/access/access-store.ts';
import type { Db } from '#server/db/database.ts';
import type { Context } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { operatorIdsWithKey } from './operator-secrets.ts';
import { revokeSessionsExceptOf } from './token-store.ts';

/**
 * Who may be signed in while the second factor is compulsory: operators with a Google key. While nobody with full
 * rights has one, those with full rights may too, or no one could ever mend it.
 */
async function admitted(db: Db): Promise<number[]> {
  const withKey = await operatorIdsWithKey(db);
  const holdingAll = await operatorsHoldingAll(db);
  return holdingAll.some((id) => withKey.includes(id)) ? withKey : [...withKey, ...holdingAll];
}

/** Whether an operator must be turned away for having no Google key. */
export async function lacksSecondFactor(db: Db, operatorId: number): Promise<boolean> {
  if (!(await readParam(db, 'security.secondFactorRequired'))) return false;
  return !(await admitted(db)).includes(operatorId);
}

/**
 * Makes the second factor compulsory at once: whoever may no longer sign in is signed out. Throws `ownKeyMissing` when
 * that would be the caller. Does nothing when `value` says it is not compulsory.
 */
export async function putSecondFactorInForce(context: Context, value: string): Promise<void> {
  if (!flag('').parse(value)) return;
  await context.accessChanged('everyone');
  const mayStay = await admitted(context.db);
  if (!mayStay.includes(context.operator.id)) throw new Refusal('ownKeyMissing', { field: 'value' });
  await revokeSessionsExceptOf(context.db, mayStay);
}
