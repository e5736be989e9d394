import { sql } from 'kysely';
import type { DeskOrder } from '#contract/money-desk.ts';
import type { Db } from '#server/db/database.ts';

/** So many of a player's newest slips are looked through: what a look at an order costs does not grow with what was ever bet. */
const MOST_SLIPS = 2_000;

/** What a player has bet since the last deposit that was paid; null where none ever was. */
export async function readSinceDeposit(db: Db, userId: number): Promise<DeskOrder['sinceDeposit']> {
  const { rows } = await sql<NonNullable<DeskOrder['sinceDeposit']>>`
    with d as (
      select id, amount, "successTime" as time from deposit
      where "userId" = ${userId} and status = 'SUCCESS' order by "successTime" desc, id desc limit 1
    ), newest as (
      select "createTime", status, stake, payout, refund from slip where "userId" = ${userId}
      order by id desc limit ${sql.lit(MOST_SLIPS)}
    ), s as (select newest.* from newest, d where "createTime" >= d.time and status not in ('CANCELLED', 'VOID'))
    select d.id, d.amount, d.time, count(s.*) as slips,
      as_money(coalesce(sum(s.stake - s.refund), 0)) as stake, as_money(coalesce(sum(s.payout), 0)) as payout,
      as_money(coalesce(sum(s.stake) filter (where s.status in ('PENDING', 'HELD')), 0)) as pending,
      (select count(*) = ${sql.lit(MOST_SLIPS)} and min("createTime") >= d.time from newest) as more
    from d left join s on true group by d.id, d.amount, d.time`.execute(db);
  return rows[0] ?? null;
}
