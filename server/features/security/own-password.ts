import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { closedFor, demandRight } from '../sign-in/demand-right.ts';
import { findOperatorSecrets } from '../sign-in/operator-secrets.ts';
import { amongHashers, type Hashing } from '../sign-in/password.ts';
import * as throttle from '../sign-in/throttle-store.ts';

/**
 * Checks the caller's own password, which wrong ones close for a while; gives the hash it was found to be of. Throws `wrong`, or
 * `passwordLocked`.
 */
export async function provenPassword(
  context: Context,
  hashing: Hashing,
  password: string,
  wrong: Refusal,
): Promise<string> {
  const { db, operator } = context;
  const seconds = await throttle.secondsClosed(db, 'password', String(operator.id));
  if (seconds > 0) throw closedFor('password', seconds);
  const hash = (await findOperatorSecrets(db, operator.id))?.passwordHash;
  await demandRight(context, 'password', { isRight: await hashing.matches(hash, password), wrong });
  if (hash === undefined) throw new Refusal('unauthenticated');
  return hash;
}

/** Asks for the caller's own password, in the field `password`, before something that a stolen session must not do. */
export async function demandOwnPassword(context: Context, password: string): Promise<void> {
  const wrong = new Refusal('ownPasswordWrong', { field: 'password' });
  await amongHashers(context.address, (hashing) => provenPassword(context, hashing, password, wrong));
}
