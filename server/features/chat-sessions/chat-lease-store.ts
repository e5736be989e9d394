import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { claimOf, type Here, LEASE_SECONDS, type Lease } from './chat-lease-rules.ts';

const leaseEnd = sql<string>`now() + ${LEASE_SECONDS} * interval '1 second'`;
const overSeconds = sql<number | null>`extract(epoch from now() - "leaseTime")::float8`;

/** Who runs a session, and the key to send to them. */
export async function findLease(
  db: Db,
  id: number,
): Promise<(Lease & { holderKey: Buffer | null; clientId: string | null; running: boolean }) | undefined> {
  return db
    .selectFrom('chat_session')
    .select(['place', 'holder', 'holderKey', 'clientId', 'running', overSeconds.as('overSeconds')])
    .where('id', '=', id)
    .executeTakeFirst();
}

interface ClaimOptions {
  readonly vault: Vault;
  readonly here: Here;
  readonly publicKey: Buffer;
}

/** A claim that succeeded: the folder's name and its key. */
export interface Claimed {
  readonly clientId: string;
  readonly databaseKey: Buffer;
}

const bindingOf = (id: number): string => `chat_session:${id}:databaseKey`;

function openKey(vault: Vault, id: number, sealed: Buffer): string {
  try {
    return vault.open(sealed, bindingOf(id));
  } catch {
    throw new Refusal('chatKeyUnreadable');
  }
}

/** Makes this process the only one that runs the session, or tells why it may not. */
export async function claimSession(
  db: Db,
  id: number,
  { vault, here, publicKey }: ClaimOptions,
): Promise<Claimed | 'held' | 'away' | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('chat_session')
      .select(['place', 'holder', 'clientId', 'databaseKey', 'authState', overSeconds.as('overSeconds')])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    const claim = claimOf(row, here);
    if (claim === 'held' || claim === 'away') return claim;
    const { clientId, databaseKey, authState } = row;
    const over = authState === 'AuthorizationStateClosed' || authState === 'AuthorizationStateLoggingOut';
    const kept = claim !== 'anew' && !over && clientId !== null && databaseKey !== null;
    const folder = kept ? clientId : randomBytes(6).toString('hex');
    const key = kept ? openKey(vault, id, databaseKey) : randomBytes(32).toString('base64');
    await tx
      .updateTable('chat_session')
      .set({
        ...here,
        running: true,
        holderKey: publicKey,
        leaseTime: leaseEnd,
        ...(kept
          ? {}
          : { clientId: folder, databaseKey: vault.seal(key, bindingOf(id)), authState: null, detail: null }),
      })
      .where('id', '=', id)
      .execute();
    return { clientId: folder, databaseKey: Buffer.from(key, 'base64') };
  });
}

/** Renews all of a process's leases and gives the sessions it still holds. */
export async function renewLeases(db: Db, holder: string): Promise<number[]> {
  const rows = await db
    .updateTable('chat_session')
    .set({ leaseTime: leaseEnd })
    .where('holder', '=', holder)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Gives a session up. `ended` ones are not started again by themselves. */
export async function releaseSession(
  db: Db,
  id: number,
  holder: string,
  { ended }: { ended: boolean },
): Promise<void> {
  await db
    .updateTable('chat_session')
    .set({ holder: null, holderKey: null, leaseTime: sql`now()`, ...(ended ? { running: false } : {}) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute();
}

/** Sessions whose files are at this place and that nobody runs although somebody should. */
export async function listIdleSessions(db: Db, place: string): Promise<number[]> {
  const rows = await db
    .selectFrom('chat_session')
    .select('id')
    .where('place', '=', place)
    .where('running', '=', true)
    .where((eb) => eb.or([eb('holder', 'is', null), eb('leaseTime', '<', sql<string>`now()`)]))
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
