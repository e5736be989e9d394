import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { requestFor } from '#contract/request.ts';
import { type Answer, exchange } from './exchange.ts';
import { startLoading } from './notices.ts';
import { envelopeOf, openEnvelope } from './open-envelope.ts';
import { refreshSession } from './refresh.ts';
import { sessionFor } from './session-for.ts';

export interface CallOptions {
  /** Locks the screen until the answer (the default). Off for what happens behind the operator's back. */
  readonly loading?: boolean;
  readonly signal?: AbortSignal;
  /** For a command: one key per intent, so that sending it again never does it twice. */
  readonly idempotencyKey?: string;
}

const expired = (answer: Answer): boolean => {
  const envelope = envelopeOf(answer);
  return envelope !== null && !envelope.success && envelope.code === 401;
};

/**
 * Sends one call and returns its data. Success and failure are told by toast; a failure is then thrown as `CallFailed`.
 * An expired session is renewed once and the call repeated; one that cannot be renewed leads to the login page.
 * Screens use `useEndpoint` and `useCommand`, which build on this.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
  { loading = true, signal, idempotencyKey }: CallOptions = {},
): Promise<Output<E>> {
  const request = requestFor(endpoint, input);
  const done = loading ? startLoading() : () => undefined;
  try {
    const session = sessionFor(endpoint);
    let answer = await exchange(request, { session, signal, idempotencyKey });
    if (session && expired(answer) && (await refreshSession(session)))
      answer = await exchange(request, { session: sessionFor(endpoint), signal, idempotencyKey });
    return openEnvelope<Output<E>>(answer);
  } finally {
    done();
  }
}
