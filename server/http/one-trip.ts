import { type Change, recordableInput } from './change-record.ts';
import type { KeyedRequest } from './idempotency.ts';

const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/**
 * The change record's line and the key of a call that succeeds, as values for the statement that writes them along with its work (`inOneTrip`).
 * `before` and `after` only the statement knows; the answer is the usual one and is not stored.
 */
export function keptOf(change: Change, keyed: KeyedRequest | undefined) {
  const { endpoint, operatorId, userName, call, input, address, msg } = change;
  return {
    ...{ operator: operatorId, userName, call, address, msg, summary: endpoint.summary },
    input: recordableInput(endpoint, input),
    status: keyed?.usual.status ?? null,
    key: keyed?.key ?? null,
    request: keyed ? bytea(keyed.requestHash) : null,
  };
}

export type Kept = ReturnType<typeof keptOf>;
