import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Promised } from './promise.ts';

/**
 * A promised phase whose draw time has come and that has no result; until the transaction ends nobody gives it one. Throws
 * `recordNotFound` and, for whatever else is behind the id, `phaseNotVoidable`.
 */
export async function lockVoidable(db: Db, planId: number, now: Date): Promise<Promised> {
  const plan = await sql`select from draw_plan where id = ${planId} for update`.execute(db);
  if (plan.rows.length === 0) throw new Refusal('recordNotFound');
  const { rows } = await sql<Promised>`
    select c."gameId", c.phase, c.rules, c.commitment, c.seed, b.value as "beaconValue" from draw_plan p
      join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
      left join draw_beacon b on b."gameId" = p."gameId" and b.phase = p.phase
    where p.id = ${planId} and p.status = 'OPENING' and p."endTime" <= ${now}::timestamptz
      and not exists (select from draw_record r where r."gameId" = p."gameId" and r.phase = p.phase)`.execute(
    db,
  );
  const [promised] = rows;
  if (!promised) throw new Refusal('phaseNotVoidable');
  return promised;
}

interface Void {
  readonly gameId: number;
  readonly phase: string;
  readonly operatorId: number;
  readonly userName: string;
  readonly reason: string;
}

/** Voids a phase for good; the database ends its plan with it and takes no result for it any more. */
export async function insertVoid(
  db: Db,
  { gameId, phase, operatorId, userName, reason }: Void,
): Promise<void> {
  await sql`
    insert into draw_void ("gameId", phase, "operatorId", "userName", reason)
    values (${gameId}, ${phase}, ${operatorId}, ${userName}, ${reason})`.execute(db);
}
