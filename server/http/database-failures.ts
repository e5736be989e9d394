import { nounOf } from '#contract/nouns.ts';
import { refsIn } from '#contract/ref.ts';
import type { Db } from '#server/db/database.ts';
import { errorCode, errorDetail, isKeptOut, isOutage, isRetryable } from '#server/db/driver/outage.ts';
import { brokenKey, isBrokenKey } from '#server/db/foreign-keys.ts';
import { nounOfTable } from '#server/db/noun-rows.ts';
import { Refusal } from '#server/refusal.ts';
import { type FailedCall, takenRefusal } from './taken.ts';

/** What the database says of a plan that somebody has bet on; the phase is the error's detail. */
const HAS_SLIPS = 'BE002';

/** The refusal an error amounts to; nothing when it is a bug. SQLSTATE 23505: unique, 23503: foreign key. */
export function refusalOf(error: unknown, call?: FailedCall): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (isOutage(error) || isKeptOut(error)) return new Refusal('unavailable');
  // It has been tried again, with pauses, until it was no use.
  if (isRetryable(error)) return new Refusal('contended');
  const code = errorCode(error);
  if (code === HAS_SLIPS) return new Refusal('planHasSlips', { values: { phase: errorDetail(error) } });
  if (code === '23505') return takenRefusal(error, call) ?? new Refusal('duplicate');
  return code === '23503' ? new Refusal('referenced') : undefined;
}

/**
 * The refusal of a change that leads to a row that is not there, at the field that named it, or that takes a row others lead to.
 * It follows from the foreign key and from the call's own fields, so that no handler need look before: whoever looked would
 * still meet it when the row goes a moment later.
 */
export async function referenceRefusal(
  db: Db,
  { endpoint, input }: FailedCall,
  error: unknown,
): Promise<Refusal | undefined> {
  const key = isBrokenKey(error) ? await brokenKey(db, error) : undefined;
  const noun = key && nounOfTable(key.target);
  if (!noun) return undefined;
  const values = { what: nounOf(noun).title };
  if (!key.missing) return new Refusal('inUse', { values });
  const sent = refsIn(endpoint.input).filter(
    ({ ref, path: [field = ''] }) => ref === noun && input[field] !== undefined,
  );
  const meant = sent.find(({ path }) => path.at(-1) === key.column) ?? sent[0];
  return new Refusal('absent', { values, ...(meant?.path[0] ? { field: meant.path[0] } : {}) });
}
