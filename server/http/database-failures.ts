import { errorCode, isOutage, isRetryable } from '#server/db/outage.ts';
import { Refusal } from '#server/refusal.ts';
import { type TakingCall, takenRefusal } from './taken.ts';

/** The refusal an error amounts to; nothing when it is a bug. SQLSTATE 23505: unique, 23503: foreign key. */
export function refusalOf(error: unknown, call?: TakingCall): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (isOutage(error)) return new Refusal('unavailable');
  // It has been tried again, with pauses, until it was no use.
  if (isRetryable(error)) return new Refusal('contended');
  const code = errorCode(error);
  if (code === '23505') return takenRefusal(error, call) ?? new Refusal('duplicate');
  return code === '23503' ? new Refusal('referenced') : undefined;
}
