import type { Vault } from '#server/vault.ts';
import { type Change, recordableInput } from './change-record.ts';
import { bindingOf, type KeyedRequest } from './idempotency.ts';
import type { Answer } from './reply.ts';

const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/**
 * What a statement that does everything in one trip keeps of a call that succeeds: its line of the change record and its answer under its
 * key, as values for their columns. What was there before and after only the statement knows.
 */
export function keptOf(vault: Vault, change: Change, answer: Answer, keyed: KeyedRequest | undefined) {
  const { endpoint, operatorId, userName, call, input, address, msg } = change;
  return {
    ...{ operator: operatorId, userName, call, address, msg, summary: endpoint.summary },
    input: recordableInput(endpoint, input),
    status: answer.status,
    key: keyed?.key ?? null,
    request: keyed ? bytea(keyed.requestHash) : null,
    answer: keyed ? bytea(vault.seal(JSON.stringify(answer), bindingOf(keyed))) : null,
  };
}

export type Kept = ReturnType<typeof keptOf>;
