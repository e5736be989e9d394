import { randomUUID } from 'node:crypto';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { TestClient } from './test-client.ts';

/** Calls until it is answered: again where no connection came free in time on a busy machine, under one key, so that it is done once. */
export async function answered<E extends AnyEndpoint>(
  client: TestClient,
  endpoint: E,
  input: WireInput<E>,
): Promise<Envelope<Output<E>>> {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    const { status, envelope } = await client.call(endpoint, input, { headers });
    if (status !== 503) return envelope;
  }
}
