import { sql } from 'kysely';
import { wordOf } from '#contract/fields.ts';
import { slipStatus } from '#contract/slips.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { closing } from '../draw-plans/closing.ts';
import { lockPhase } from './phase.ts';
import type { Act } from './voids.ts';

/** Whether a slip's phase has closed. */
export async function isClosed(db: Db, slipId: number): Promise<boolean> {
  const { rows } = await sql`
    select from slip s join draw_plan p on p.id = s."planId" join game g on g.id = s."gameId",
      lateral ${closing}
    where s.id = ${slipId} and clock_timestamp() >= c.closes`.execute(db);
  return rows.length > 0;
}

interface Ground {
  readonly status: string;
  readonly stake: string;
  readonly isDrawn: boolean;
}

/**
 * Begins the settlement that voids one slip, which its draw must not have decided: that is asked last, once nobody else can begin one. To be
 * called in a transaction. Tells what the slip is and becomes. Throws `slipNotPending` and `slipDrawn`.
 */
export async function beginSlipVoid(tx: Db, slipId: number, { operatorId, userName, reason }: Act) {
  const slip = await tx
    .selectFrom('slip')
    .select(['gameId', 'phase'])
    .where('id', '=', slipId)
    .executeTakeFirst();
  if (!slip) throw new Refusal('recordNotFound');
  const { gameId, phase } = slip;
  await lockPhase(tx, slip);
  const { rows } = await sql<Ground>`
    select status, stake, "drawTime" <= clock_timestamp() or exists (
        select from draw_record r where r."gameId" = s."gameId" and r.phase = s.phase) as "isDrawn"
    from slip s where id = ${slipId} for no key update`.execute(tx);
  const [ground] = rows;
  if (!ground) throw new Refusal('recordNotFound');
  if (ground.status !== 'PENDING') {
    throw new Refusal('slipNotPending', { values: { status: wordOf(slipStatus, ground.status) } });
  }
  if (ground.isDrawn) throw new Refusal('slipDrawn');
  const { rows: waiting } = await sql`
    select from settlement v where "slipId" = ${slipId} and kind = 'VOID' and not exists (select from settlement u where u.undoes = v.id)`.execute(
    tx,
  );
  if (waiting.length > 0) throw new Refusal('voidedBefore');
  await sql`
    insert into settlement (kind, "gameId", phase, "slipId", "operatorId", "userName", reason)
    values ('VOID', ${gameId}, ${phase}, ${slipId}, ${operatorId}, ${userName}, ${reason})`.execute(tx);
  return {
    before: { gameId, phase, status: ground.status, stake: ground.stake },
    after: { gameId, phase, status: 'VOID', refund: ground.stake },
  };
}
