import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandRight } from './demand-right.ts';
import { googleKey, keepSteps, lockSteps } from './google-key-store.ts';
import { acceptedStep, rememberStep } from './one-time-code.ts';
import { findOperatorSecrets } from './operator-secrets.ts';
import { hasRecoveryCode, looksLikeRecoveryCode, spendRecoveryCode } from './recovery-codes.ts';

/** Uses up a Google code: it counts once, whatever it is given for and on whichever server. */
export async function takeGoogleCode(
  { db, now }: Context,
  operatorId: number,
  secret: string,
  code: string,
): Promise<boolean> {
  const steps = await lockSteps(db, operatorId);
  const step = acceptedStep(secret, code, now, steps);
  if (step === undefined) return false;
  await keepSteps(db, operatorId, rememberStep(steps, step));
  return true;
}

/** Uses up a Google code or a recovery code; tells which of the two it was, or nothing when it is wrong or was used. */
export async function takeCode(
  context: Context,
  operatorId: number,
  secret: string,
  code: string,
): Promise<'google' | 'recovery' | undefined> {
  if (!looksLikeRecoveryCode(code))
    return (await takeGoogleCode(context, operatorId, secret, code)) ? 'google' : undefined;
  return (await spendRecoveryCode(context.db, operatorId, code)) ? 'recovery' : undefined;
}

/** Uses up a code inside the transaction that it is given for; throws `codeWrong` when somebody was faster. */
export type TakeCode = (inside: Context) => Promise<void>;

const wrong = (field: string) => new Refusal('codeWrong', { field });

/** Counts a wrong code of the caller's, and sends away who has given too many. */
export const judgeCode = (context: Context, field: string, isRight: boolean): Promise<void> =>
  demandRight(context, 'code', { isRight, wrong: wrong(field) });

/** The caller's own key; throws `googleKeyUnbound` where there is none. */
export async function ownKey(context: Context): Promise<string> {
  const operator = await findOperatorSecrets(context.db, context.operator.id);
  const key = operator && googleKey(context, operator);
  if (key === undefined) throw new Refusal('googleKeyUnbound');
  if (key === 'unreadable') throw new Refusal('googleKeyUnreadable');
  return key.secret;
}

/**
 * The first stage of what a code of the caller's own key is asked for: looks at the code, in `field` of the input, and counts a wrong
 * one. Answers what uses it up in the second.
 */
export async function provenCode(
  context: Context,
  field: string,
  code: string,
  { recovery = false } = {},
): Promise<TakeCode> {
  const { db, operator, now } = context;
  const secret = await ownKey(context);
  const mayBeRecovery = recovery && looksLikeRecoveryCode(code);
  const isRight = mayBeRecovery
    ? await hasRecoveryCode(db, operator.id, code)
    : acceptedStep(secret, code, now, (await findOperatorSecrets(db, operator.id))?.googleSteps ?? []) !==
      undefined;
  await judgeCode(context, field, isRight);
  return async (inside) => {
    const taken = mayBeRecovery
      ? await spendRecoveryCode(inside.db, operator.id, code)
      : await takeGoogleCode(inside, operator.id, secret, code);
    if (!taken) throw wrong(field);
  };
}
