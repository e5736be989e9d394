import { isSteppedUp } from '#server/features/sign-in/step-up-store.ts';
import { Refusal } from '#server/refusal.ts';
import type { Call, Services } from './execute.ts';

/**
 * Turns a call away that is declared to ask for a fresh Google code, while its session has none. Nothing is kept of it under its key: the
 * same call is made again, under the same key, once the code was given.
 */
export async function demandStepUp({ signIn }: Services, { endpoint, input, operator }: Call): Promise<void> {
  const { stepUp } = endpoint;
  if (!stepUp || !operator.hasGoogleKey) return;
  if (stepUp !== true && !stepUp.when(input)) return;
  if (!(await isSteppedUp(signIn, operator.sessionId))) throw new Refusal('stepUpNeeded');
}
