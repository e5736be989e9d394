import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import { Refusal } from '#server/refusal.ts';
import { lockFreePhase, lockPhase, type Phase } from './phase.ts';

/** Whether a later settlement of the phase has begun: that one decides anew, so nothing is paid by this one. */
const isOvertaken = sql<SqlBool>`exists (
  select from settlement later where later."gameId" = s."gameId" and later.phase = s.phase and later.id > s.id)`;
/** Whether a settlement, by this name, voids a whole phase, whatever its result. */
export const isWholeVoid = (settlement: string): RawBuilder<SqlBool> => {
  const of = (column: string) => sql.ref(`${settlement}.${column}`);
  return sql<SqlBool>`(${of('kind')} = 'VOID' and ${of('playWayId')} is null and ${of('createTimeFrom')} is null and ${of('slipId')} is null)`;
};
/** Whether sources disagree about its result, so that money waits. */
const isDisputed = sql<SqlBool>`(not ${isWholeVoid('s')} and exists (
  select from draw_record r where r."gameId" = s."gameId" and r.phase = s.phase and r.conflict))`;
/** Whether a settlement may still settle what it holds. */
const mayGoOn = sql<SqlBool>`not (${isOvertaken} or ${isDisputed})`;

/** Whether a slip is held for a big win that nobody has released. */
export const isBigWin = sql<SqlBool>`(h.reason = 'BIG_WIN' and not h.released)`;

/** Puts held slips back among the work of their settlements, whose rows the caller has locked. */
const requeue = (which: RawBuilder<SqlBool>, change: RawBuilder<unknown>) => sql<{ n: number }>`
  with held as (
    update slip_hold h set ${change} from settlement s where s.id = h."settlementId" and ${which} and ${mayGoOn} returning h."settlementId", h."slipId"
  ), queued as (
    insert into settlement_batch ("settlementId", no, slips)
    select held."settlementId",
      coalesce((select max(b.no) from settlement_batch b where b."settlementId" = held."settlementId"), -1) + 1,
      array_agg(s.id order by s."userId", s.id)
    from held join slip s on s.id = held."slipId" group by held."settlementId" returning "settlementId", cardinality(slips) as n
  )
  update settlement s set status = 'RUNNING', "endTime" = null, problem = null from queued q where s.id = q."settlementId"
  returning q.n`;

/** Slips that are due for another try, of settlements with no other work. */
const due = sql<SqlBool>`exists (select from slip_hold h where h."settlementId" = s.id and h."nextTime" <= now()) and ${mayGoOn}`;

/**
 * Puts slips of a settlement that could not be posted back to work, if they still may. Nobody begins another one meanwhile, or stops those of
 * the phase since sources disagree: that would pass over this one, which does not seem to go on before the transaction ends.
 */
async function retryHeldOf(tx: Db, settlementId: number, phase: Phase): Promise<void> {
  if (!(await lockFreePhase(tx, phase))) return;
  const { rows } = await sql`
    select from settlement s where id = ${settlementId} and status = 'HELD' and not stopped and ${due} for update skip locked`.execute(
    tx,
  );
  if (rows.length > 0)
    await requeue(
      sql<SqlBool>`h."settlementId" = ${settlementId} and h."nextTime" <= now()`,
      sql`"nextTime" = null`,
    ).execute(tx);
}

/** Puts slips that could not be posted back to work, once they are due for another try. */
export async function retryHeld(db: Db): Promise<void> {
  const { rows } = await sql<Phase & { id: number }>`
    select id, "gameId", phase from settlement s where status = 'HELD' and not stopped and ${due} order by id`.execute(
    db,
  );
  for (const { id, ...phase } of rows) await db.transaction().execute((tx) => retryHeldOf(tx, id, phase));
}

/** Throws `heldOvertaken` and `heldDisputed`. */
async function demandGoingOn(tx: Db, settlementId: number): Promise<void> {
  const { rows } = await sql<{ isOvertaken: boolean; isDisputed: boolean }>`
    select ${isOvertaken} as "isOvertaken", ${isDisputed} as "isDisputed" from settlement s where id = ${settlementId}`.execute(
    tx,
  );
  if (rows[0]?.isOvertaken) throw new Refusal('heldOvertaken');
  if (rows[0]?.isDisputed) throw new Refusal('heldDisputed');
}

/**
 * Releases big wins that were held: all of a settlement, or one slip. Gives how many; 0 when the settlement no longer holds them. To be called in
 * a transaction. Throws `heldOvertaken` when a later settlement decides them, and `heldDisputed`.
 */
export async function releaseHeld(tx: Db, settlementId: number, slipId?: number): Promise<number> {
  const settlement = tx.selectFrom('settlement').select(['gameId', 'phase']).where('id', '=', settlementId);
  const phase = await settlement.executeTakeFirst();
  if (!phase) return 0;
  // As with another try, but waited for.
  await lockPhase(tx, phase);
  const { rows: open } = await sql`
    select from settlement where id = ${settlementId} and status <> 'DONE' and not stopped for update`.execute(
    tx,
  );
  if (open.length === 0) return 0;
  await demandGoingOn(tx, settlementId);
  const only = slipId === undefined ? sql`true` : sql`h."slipId" = ${slipId}`;
  const which = sql<SqlBool>`h."settlementId" = ${settlementId} and ${isBigWin} and ${only}`;
  const { rows } = await requeue(which, sql`released = true`).execute(tx);
  return rows[0]?.n ?? 0;
}

/** Since when a settlement has had work, in epoch milliseconds; undefined when none has. */
export const nextSettlement = (db: Db): Promise<number | undefined> =>
  dueAt(
    db,
    sql`select least(
      (select min("startTime") from settlement where status = 'RUNNING'),
      (select min(h."nextTime") from slip_hold h join settlement s on s.id = h."settlementId"
        where h."nextTime" is not null and s.status = 'HELD' and not s.stopped and ${mayGoOn}))`,
  );
