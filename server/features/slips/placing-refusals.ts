import { z } from 'zod';
import type { FailureCode } from '#contract/failures.ts';
import { wordOf } from '#contract/fields.ts';
import { moneyText } from '#contract/money-text.ts';
import { slipStatus } from '#contract/slips.ts';
import { errorCode, errorDetail, LOCK_NOT_AVAILABLE } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';
import { isProblem, refusalOfProblem } from '../ledger/ledger-store.ts';
import { refusalOfPlayerLimit } from '../player-limits/limit-refusals.ts';
import type { BettingPlays } from './betting-plays.ts';

// What place_slips and cancel_slip (db/schema.sql) tell or raise, and the field it lies in.
const failures: Readonly<Record<string, readonly [failure: FailureCode, field?: string]>> = {
  BE003: ['contended'],
  [LOCK_NOT_AVAILABLE]: ['contended'],
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

/** Whether a bet breaks a limit that only test accounts do not stand in. */
export const isForTests = (error: unknown): boolean => errorCode(error) === 'BE040';

/** What a bet or its taking back was refused for; nothing for what is no refusal. */
export function refusalOfPlacing(error: unknown, phase?: string): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const code = errorCode(error);
  if (isProblem(code)) return refusalOfProblem(code);
  const [failure, field] = failures[code] ?? [];
  if (!failure) return undefined;
  const detail = errorDetail(error);
  return new Refusal(failure, {
    ...(field ? { field } : {}),
    values: { phase: phase ?? detail, until: detail, status: wordOf(slipStatus, detail) },
  });
}

/** What take_limits (db/schema.sql) tells of the limit that a slip would exceed. */
const exceeded = z.object({
  kind: z.enum(['USER', 'NUMBER', 'LOSS']),
  most: z.string(),
  left: z.string(),
  playWayId: z.int(),
  number: z.string(),
});
const exceedings = {
  USER: ['userStakeExceeded', 'userId'],
  NUMBER: ['numberPayoutExceeded', 'lines'],
  LOSS: ['lossExceeded', 'lines'],
} as const;

/** The limit of a phase or of the player that a bet was refused for, and what is left of it; nothing for what was refused for another reason. */
export function refusalOfLimit(error: unknown, playsOf: BettingPlays): Refusal | undefined {
  if (errorCode(error) === 'BE042')
    return refusalOfPlayerLimit('lossLimitExceeded', JSON.parse(errorDetail(error)), 'userId');
  if (errorCode(error) !== 'BE041') return undefined;
  const { kind, most, left, playWayId, number } = exceeded.parse(JSON.parse(errorDetail(error)));
  const [failure, field] = exceedings[kind];
  const name = kind === 'NUMBER' ? (playsOf(playWayId)?.playWay.name ?? '') : '';
  const values = { most: moneyText(most), left: moneyText(left), name, number: number && `号码 ${number} ` };
  return new Refusal(failure, { field, values });
}
