import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A phase as its settlements know it. */
export interface Phase {
  readonly gameId: number;
  readonly phase: string;
}

/** Keeps everybody else from beginning a settlement of the phase, a record's included. */
export const lockPhase = (tx: Db, { gameId, phase }: Phase) =>
  sql`select pg_advisory_xact_lock(settlement_key(${gameId}::bigint, ${phase}))`.execute(tx);

/** The same without waiting; tells whether the phase was free. */
export async function lockFreePhase(tx: Db, { gameId, phase }: Phase): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(settlement_key(${gameId}::bigint, ${phase})) as "isFree"`.execute(tx);
  return rows[0]?.isFree === true;
}
