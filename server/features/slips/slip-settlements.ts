import { sql } from 'kysely';
import type { SlipSettlement } from '#contract/slips.ts';
import type { Db } from '#server/db/database.ts';

/** What settlements made of these slips, each slip's in their order. */
export async function settlementsOf(db: Db, ids: readonly number[]): Promise<Map<number, SlipSettlement[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SlipSettlement & { slipId: number }>`
    select m."slipId", m.n, m."settlementId", t.kind, m.status, m."movedPayout" as payout, m."movedRefund" as refund, m."createTime"
    from slip_settlement m join settlement t on t.id = m."settlementId"
    where m."slipId" = any(${[...ids]}::bigint[]) order by m."slipId", m.n`.execute(db);
  const settlements = new Map<number, SlipSettlement[]>();
  for (const { slipId, ...settlement } of rows) {
    const list = settlements.get(slipId);
    if (list) list.push(settlement);
    else settlements.set(slipId, [settlement]);
  }
  return settlements;
}
