import type { FailureCode } from '#contract/failures.ts';
import { metaOf } from '#contract/fields.ts';
import { slipStatus } from '#contract/slips.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';
import { isProblem, refusalOfProblem } from '../ledger/ledger-store.ts';

// What place_slip and cancel_slip of migrations/0216-placing.sql raise, and the field it lies in.
const failures: Readonly<Record<string, readonly [failure: FailureCode, field?: string]>> = {
  BE003: ['contended'],
  '55P03': ['contended'],
  BE011: ['gameOff', 'gameId'],
  BE012: ['bettingOff', 'gameId'],
  BE013: ['takesNoBets', 'gameId'],
  BE014: ['phaseUnknown', 'phase'],
  BE015: ['phaseNotOpen', 'phase'],
  BE016: ['phaseClosed', 'phase'],
  BE017: ['phaseUnpromised', 'phase'],
  BE018: ['recordNotFound', 'userId'],
  BE019: ['userFrozen', 'userId'],
  BE020: ['userExcluded', 'userId'],
  BE021: ['bizNoTaken', 'bizNo'],
  BE030: ['recordNotFound'],
  BE031: ['slipNotPending'],
};

/** Whether a bet went by what is no longer so. */
export const isStale = (error: unknown): boolean => errorCode(error) === 'BE010';

const detailOf = (error: unknown): string =>
  error instanceof Error && 'detail' in error ? String(error.detail) : '';

/** What a bet or its taking back was refused for; nothing for what is no refusal. */
export function refusalOfPlacing(error: unknown, phase?: string): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const code = errorCode(error);
  if (isProblem(code)) return refusalOfProblem(code);
  const [failure, field] = failures[code] ?? [];
  if (!failure) return undefined;
  const detail = detailOf(error);
  const status = metaOf(slipStatus).choices?.[detail] ?? '';
  return new Refusal(failure, {
    ...(field ? { field } : {}),
    values: { phase: phase ?? detail, until: detail, status },
  });
}
