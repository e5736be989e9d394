import type { AnyEndpoint } from '#contract/endpoint.ts';
import { failures } from '#contract/failures.ts';
import type { Answer } from './exchange.ts';
import { startLoading } from './notices.ts';
import { envelopeOf } from './open-envelope.ts';
import { refreshSession } from './refresh.ts';
import type { Session } from './session.ts';
import { sessionFor } from './session-for.ts';
import { askForCode } from './step-up.ts';

/** What an answer was refused with, if it was. */
const codeOf = (answer: Answer): number | null => {
  const envelope = envelopeOf(answer);
  return envelope && !envelope.success ? envelope.code : null;
};

/**
 * Asks in the session there is: again in a renewed one where it has run out, and again once a fresh Google code was given where the server
 * wants one. `loading` locks the screen until the answer, but not while the code is asked for.
 */
export async function askSignedIn<A extends Answer>(
  endpoint: AnyEndpoint,
  { loading }: { readonly loading: boolean },
  ask: (session: Session | null) => Promise<A>,
): Promise<A> {
  const send = async (): Promise<A> => {
    const done = loading ? startLoading() : () => undefined;
    try {
      const session = sessionFor(endpoint);
      const answer = await ask(session);
      const isOver = session !== null && codeOf(answer) === failures.unauthenticated.code;
      return isOver && (await refreshSession(session)) ? await ask(sessionFor(endpoint)) : answer;
    } finally {
      done();
    }
  };
  const answer = await send();
  // Whoever asked notices nothing of it: the same goes out again, under the same key.
  return codeOf(answer) === failures.stepUpNeeded.code && (await askForCode()) ? send() : answer;
}
