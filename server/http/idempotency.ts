import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { appendChange, type Change } from './change-record.ts';
import type { Answer } from './reply.ts';

/** One request under a key: who, which key, and a fingerprint of the call with all its parameters. */
export interface KeyedRequest {
  operatorId: number;
  key: string;
  requestHash: Buffer;
  /** The answer where none was kept, because the call has no other once it is done. */
  usual: Answer;
}

/** What an answer is sealed to. */
export const bindingOf = ({ operatorId, key }: KeyedRequest): string =>
  `idempotency_key:${operatorId}:${key}`;

/** Keys are remembered for a day. */
export const freeAgain = sql<boolean>`idempotency_key."createTime" < now() - interval '24 hours'`;

/** The first answer made under a key that is not free again. Throws `idempotencyKeyReused` when the key came with another request. */
export async function findAnswer(db: Db, vault: Vault, request: KeyedRequest): Promise<Answer | undefined> {
  const first = await db
    .selectFrom('idempotency_key')
    .select(['requestHash', 'status', 'answer'])
    .where('operatorId', '=', request.operatorId)
    .where('key', '=', request.key)
    .where(({ not }) => not(freeAgain))
    .executeTakeFirst();
  if (!first) return undefined;
  if (!request.requestHash.equals(first.requestHash)) throw new Refusal('idempotencyKeyReused');
  if (first.answer) return JSON.parse(vault.open(first.answer, bindingOf(request))) as Answer;
  return first.status === null ? undefined : request.usual;
}

/**
 * Keeps an answer under its key and appends the change to the record, in one statement; waits while another transaction
 * holds the key. False, and nothing written, when the key has an answer already.
 */
export async function keepOutcome(
  db: Db,
  vault: Vault,
  request: KeyedRequest,
  answer: Answer,
  change: Change,
): Promise<boolean> {
  const { operatorId, key, requestHash } = request;
  const sealed = vault.seal(JSON.stringify(answer), bindingOf(request));
  const { rows } = await sql`
    with kept as (
      insert into idempotency_key ("operatorId", key, "requestHash", status, answer)
      values (${operatorId}, ${key}, ${requestHash}, ${answer.status}, ${sealed})
      on conflict ("operatorId", key) do update
        set "requestHash" = excluded."requestHash", status = excluded.status, answer = excluded.answer, "createTime" = now()
        where ${freeAgain}
      returning key)
    ${appendChange(change, sql`from kept`)}`.execute(db);
  return rows.length > 0;
}
