import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { bindingOf, findAnswer, freeAgain, type KeyedRequest } from './idempotency.ts';
import type { Answer } from './reply.ts';

/** A claim that was not renewed for so long is a dead server's: the same call may run again. */
const LEASE_SECONDS = 30;
const RENEW_MS = 5_000;

const leftBehind = sql`idempotency_key.status is null
  and idempotency_key."createTime" < now() - make_interval(secs => ${LEASE_SECONDS})`;

/** A key under which this server, and no other, works. It is kept alive until `end`. */
export interface KeyClaim {
  /** Keeps the answer; sealed, because answers can hold secrets shown once. */
  keep(answer: Answer): Promise<void>;
  /** Frees the key of a call that came to nothing, so that a repeat may try again. */
  release(): Promise<void>;
  end(): void;
}

function claimOn(db: Db, vault: Vault, request: KeyedRequest, claim: string): KeyClaim {
  const { operatorId, key } = request;
  // One that was done meanwhile is no longer claimed: a call of one statement that took the key over leaves the claim where it was.
  const own = sql`"operatorId" = ${operatorId} and key = ${key} and claim = ${claim}::uuid and status is null`;
  const renew = () =>
    void sql`update idempotency_key set "createTime" = now() where ${own}`
      .execute(db)
      // The next one may succeed, and the lease outlasts several.
      .catch(() => undefined);
  const timer = setInterval(renew, RENEW_MS).unref();
  return {
    keep: async (answer) => {
      const sealed = vault.seal(JSON.stringify(answer), bindingOf(request));
      await sql`update idempotency_key set status = ${answer.status}, answer = ${sealed} where ${own}`.execute(
        db,
      );
    },
    release: async () => {
      await sql`delete from idempotency_key where ${own}`.execute(db);
    },
    end: () => clearInterval(timer),
  };
}

/**
 * For calls whose work is no transaction of the database: claims a key before, or gives the first answer made under it. Keys
 * older than 24 hours are free again, and so are those of servers that died at work. Throws `idempotencyKeyReused` when the
 * key came with another request.
 */
export async function claimKey(
  db: Db,
  vault: Vault,
  request: KeyedRequest,
): Promise<{ claim: KeyClaim } | { first: Answer } | 'running'> {
  const { operatorId, key, requestHash } = request;
  const claim = randomUUID();
  const { rows } = await sql`
    insert into idempotency_key ("operatorId", key, "requestHash", claim)
    values (${operatorId}, ${key}, ${requestHash}, ${claim}::uuid)
    on conflict ("operatorId", key) do update set "requestHash" = excluded."requestHash", claim = excluded.claim,
        status = null, answer = null, "createTime" = now()
      where ${freeAgain} or (${leftBehind} and idempotency_key."requestHash" = excluded."requestHash")
    returning key`.execute(db);
  if (rows.length > 0) return { claim: claimOn(db, vault, request, claim) };
  const first = await findAnswer(db, vault, request);
  return first ? { first } : 'running';
}

/** A bet is placed or refused within half of it. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 50;

/**
 * As `claimKey`; a call that is at work under the key is waited for, so that whoever sends again while it is gets its answer too. Throws
 * `stillRunning` when it takes longer.
 */
export async function claimKeyInTurn(db: Db, vault: Vault, request: KeyedRequest) {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    const claimed = await claimKey(db, vault, request);
    if (claimed !== 'running') return claimed;
    if (performance.now() > end) throw new Refusal('stillRunning');
  }
}
