import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { requestFor } from '#contract/request.ts';
import { exchange } from './exchange.ts';
import { firstAnswer } from './first-calls.ts';
import { envelopeOf, openEnvelope } from './open-envelope.ts';
import { queryKey } from './query-client.ts';
import { askSignedIn } from './signed-in.ts';
import { inLanguage, learnLanguage } from './told.ts';

export interface CallOptions {
  /** Locks the screen until the answer (the default). Off for what happens behind the operator's back. */
  readonly loading?: boolean;
  readonly signal?: AbortSignal;
  /** Tells nothing by toast: whoever calls says what became of it. */
  readonly quiet?: boolean;
  /** The fields that stand where it is asked from, at which a refusal of them is told. */
  readonly fields?: readonly string[] | undefined;
  /** Goes out even where the page is being left. */
  readonly keepalive?: boolean;
  /** For a command: one key per intent, so that sending it again never does it twice. */
  readonly idempotencyKey?: string;
}

/**
 * Sends one call and returns its data. Success and failure are told by toast; a failure is then thrown as `CallFailed`.
 * An expired session is renewed once and the call repeated; one that cannot be renewed leads to the login page. Where the server asks
 * for a fresh Google code, the operator is asked for it and the call repeated.
 * Screens use `useEndpoint` and `useCommand`, which build on this.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
  { loading = true, signal, quiet = false, fields, keepalive, idempotencyKey }: CallOptions = {},
): Promise<Output<E>> {
  const request = requestFor(endpoint, input);
  const answer = await askSignedIn(endpoint, { loading }, (session) => {
    const asked =
      endpoint.kind === 'query' ? firstAnswer(request, session, queryKey(endpoint, input)) : undefined;
    return exchange(request, { session, signal, keepalive, idempotencyKey, asked });
  });
  // The login page has nothing of the server's to show but what it is told.
  if (endpoint.access !== 'public' || envelopeOf(answer)?.msg !== null) await learnLanguage();
  return inLanguage(endpoint.output, openEnvelope<Output<E>>(answer, quiet, fields));
}
