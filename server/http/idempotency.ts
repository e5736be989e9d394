import { type ColumnType, type Generated, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import type { Answer } from './reply.ts';

declare module '#server/db/database.ts' {
  interface Tables {
    idempotency_key: {
      operatorId: number;
      key: string;
      requestHash: Buffer;
      status: number | null;
      answer: Buffer | null;
      createTime: ColumnType<string, string | undefined, never> | Generated<string>;
    };
  }
}

/** One request under a key: who, which key, and a fingerprint of the call with all its parameters. */
export interface KeyedRequest {
  operatorId: number;
  key: string;
  requestHash: Buffer;
}

const bindingOf = ({ operatorId, key }: KeyedRequest): string => `idempotency_key:${operatorId}:${key}`;

/**
 * Claims a key, or gives the first answer made under it. Waits while another transaction holds the same key. Keys older
 * than 24 hours are free again. Throws `idempotencyKeyReused` when the key came with another request.
 */
export async function claimKey(
  db: Db,
  vault: Vault,
  request: KeyedRequest,
): Promise<Answer | 'claimed' | 'running'> {
  const { operatorId, key, requestHash } = request;
  const claimed = await sql`
    insert into idempotency_key ("operatorId", key, "requestHash") values (${operatorId}, ${key}, ${requestHash})
    on conflict ("operatorId", key) do update
      set "requestHash" = excluded."requestHash", status = null, answer = null, "createTime" = now()
      where idempotency_key."createTime" < now() - interval '24 hours'
    returning key`.execute(db);
  if (claimed.rows.length > 0) return 'claimed';
  const first = await db
    .selectFrom('idempotency_key')
    .select(['requestHash', 'status', 'answer'])
    .where('operatorId', '=', operatorId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!first) return 'running';
  if (!requestHash.equals(first.requestHash)) throw new Refusal('idempotencyKeyReused');
  if (!first.answer) return 'running';
  return JSON.parse(vault.open(first.answer, bindingOf(request))) as Answer;
}

/** Keeps the answer; sealed, because answers can hold secrets shown once. */
export async function keepAnswer(db: Db, vault: Vault, request: KeyedRequest, answer: Answer): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ status: answer.status, answer: vault.seal(JSON.stringify(answer), bindingOf(request)) })
    .where('operatorId', '=', request.operatorId)
    .where('key', '=', request.key)
    .execute();
}

/** Frees a key whose call ended in a fault, so that a repeat may try again. */
export async function releaseKey(db: Db, { operatorId, key }: KeyedRequest): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('operatorId', '=', operatorId)
    .where('key', '=', key)
    .where('answer', 'is', null)
    .execute();
}
