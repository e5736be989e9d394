import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as throttle from './throttle-store.ts';

/** What somebody signed in may get wrong, with what they are told who got it wrong too often. */
const closed = { password: 'passwordLocked', code: 'codeLocked' } as const;
type Kind = keyof typeof closed;

export const closedFor = (kind: Kind, seconds: number) =>
  new Refusal(closed[kind], { values: { seconds }, retryAfter: seconds });

/**
 * Counts a wrong password or code of the caller's, in a line of their own and in a transaction of its own, and throws `wrong`. A right one
 * ends the row of wrong ones. Throws `passwordLocked` or `codeLocked`, whichever it was, after too many.
 */
export async function judged(
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
