import type { SignedIn } from '#server/access/signed-in.ts';
import { isSteppedUp } from '#server/access/step-up-store.ts';
import { codeAsked } from '#server/access/verdict.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Call, Services } from './call.ts';

/** Throws `stepUpNeeded` where the operator has a key and gave no code in this session lately. */
export async function demandFreshCode(db: Db, { hasGoogleKey, sessionId }: SignedIn): Promise<void> {
  if (hasGoogleKey && !(await isSteppedUp(db, sessionId))) throw new Refusal('stepUpNeeded');
}

/**
 * Turns a call away that is declared to ask for a fresh Google code, while its session has none. Nothing is kept of it under its key: the
 * same call is made again, under the same key, once the code was given.
 */
export async function demandStepUp({ signIn }: Services, { endpoint, input, operator }: Call): Promise<void> {
  const asked = codeAsked(endpoint, operator);
  if (asked === 'never') return;
  const { stepUp } = endpoint;
  if (asked === 'always' || (typeof stepUp === 'object' && stepUp.when(input)))
    await demandFreshCode(signIn, operator);
}
