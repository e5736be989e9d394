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
