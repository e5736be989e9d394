import { type Change, recordableInput } from './change-record.ts';
import type { KeyedRequest } from './idempotency.ts';

const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/**
 * What a statement that does everything in one trip keeps of a call that succeeds: its line of the change record and its key, as values for
 * their columns. What was there before and after only the statement knows; the answer is the usual one and is not kept.
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
