import { errorCode, isOutage } from '#server/db/outage.ts';
import { Refusal } from '#server/refusal.ts';

/** Whether trying the same transaction again may succeed: a serialization failure (40001) or a deadlock (40P01). */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error));

/** The refusal an error amounts to; nothing when it is a bug. SQLSTATE 23505: unique, 23503: foreign key. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (isOutage(error)) return new Refusal('unavailable');
  const code = errorCode(error);
  if (code === '23505') return new Refusal('duplicate');
  return code === '23503' ? new Refusal('referenced') : undefined;
}
