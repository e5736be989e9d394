import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';

/** A plan whose result should have come long ago and is still waited for. */
export const isLate = sql<boolean>`(status = 'OPENING' and "lateTime" is not null and "unawaitedReason" is null)`;

/**
 * Ends the waiting for a late phase that a source should have told of, and nothing else: its source's word is still taken. Until the
 * transaction ends nobody gives it a result. Throws `recordNotFound`, and `phaseNotLate` for whatever else is behind the id.
 */
export async function endWaiting(
  db: Db,
  id: number,
  reason: string,
): Promise<{ gameId: number; phase: string }> {
  const plan = await sql`select from draw_plan where id = ${id} for no key update`.execute(db);
  if (plan.rows.length === 0) throw new Refusal('recordNotFound');
  // What a local draw promised is drawn, or void where it cannot be.
  const { rows } = await sql<{ gameId: number; phase: string }>`
    update draw_plan set "unawaitedReason" = ${reason} where id = ${id} and ${isLate} and commitment is null
    returning "gameId", phase`.execute(db);
  const [ended] = rows;
  if (!ended) throw new Refusal('phaseNotLate');
  return ended;
}
