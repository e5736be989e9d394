import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as throttle from './throttle-store.ts';

/** What somebody signed in may get wrong, and the refusal after too many wrong ones. */
const closed = { password: 'passwordLocked', code: 'codeLocked' } as const;
type Kind = keyof typeof closed;

export const closedFor = (kind: Kind, seconds: number) =>
  new Refusal(closed[kind], { values: { seconds }, retryAfter: seconds });

/**
 * Throws `wrong` unless the caller's password or code was right. Wrong ones in a row are counted for each kind, in a transaction of their
 * own, so that the refusal does not undo the count; after too many of them throws `passwordLocked` or `codeLocked`.
 */
export async function demandRight(
  { db, address, operator }: Context,
  kind: Kind,
  { isRight, wrong }: { isRight: boolean; wrong: Refusal },
): Promise<void> {
  const subject = String(operator.id);
  const refusal = await db.transaction().execute(async (tx) => {
    await throttle.lock(tx, kind, subject);
    const seconds = await throttle.secondsClosed(tx, kind, subject);
    if (seconds > 0) return closedFor(kind, seconds);
    if (isRight) {
      await throttle.forgetFailures(tx, kind, subject);
      return undefined;
    }
    await throttle.recordFailure(tx, kind, subject, address);
    return wrong;
  });
  if (refusal) throw refusal;
}
