import { type ColumnType, type Generated, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { appendChange, type Change } from './change-record.ts';
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

const freeAgain = sql`idempotency_key."createTime" < now() - interval '24 hours'`;

/** The first answer made under a key. Throws `idempotencyKeyReused` when the key came with another request. */
export async function findAnswer(db: Db, vault: Vault, request: KeyedRequest): Promise<Answer | undefined> {
  const first = await db
    .selectFrom('idempotency_key')
    .select(['requestHash', 'answer'])
    .where('operatorId', '=', request.operatorId)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (!first) return undefined;
  if (!request.requestHash.equals(first.requestHash)) throw new Refusal('idempotencyKeyReused');
  return first.answer ? (JSON.parse(vault.open(first.answer, bindingOf(request))) as Answer) : undefined;
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

/**
 * For calls whose work is no transaction of the database: claims a key before, or gives the first answer made under it. Keys older than
 * 24 hours are free again. Throws `idempotencyKeyReused` when the key came with another request.
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
      where ${freeAgain}
    returning key`.execute(db);
  if (claimed.rows.length > 0) return 'claimed';
  return (await findAnswer(db, vault, request)) ?? 'running';
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
