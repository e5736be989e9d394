import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { pageReport } from '#server/features/reports/report-store.ts';

/** What players staked and got of slips that count, as text by their ids. */
type ByPlayer = Readonly<Record<string, string>>;

/**
 * By the ledger alone: the rows under the numbers of slips, and what of reversals is owed in place of being taken. Debts that were written off are
 * paid after all.
 */
export async function movedByLedger(db: Db): Promise<ByPlayer> {
  const { rows } = await sql<{ userId: number; told: string }>`
    with moved as (
      select "userId", "bizOrderNo", "changeType", amount from account_history where "bizOrderNo" ~ '^B[0-9]+(/[0-9]+)?$'
      union all select "userId", "bizOrderNo", "changeType", amount from account_debt where kind = 'OWED'
    ), counted as (
      select m.* from moved m join slip s on s.id = substring(m."bizOrderNo" from '^B([0-9]+)')::bigint and not s."testAccount"
    )
    select "userId", concat_ws(' ', 'stake', trim_scale(coalesce(sum(amount) filter (where "changeType" = 'BET'), 0)),
      'payout', trim_scale(coalesce(sum(amount) filter (where "changeType" = 'WIN'), 0) - coalesce(sum(amount) filter (where "changeType" = 'WIN_REVERSAL'), 0)),
      'refund', trim_scale(coalesce(sum(amount) filter (where "changeType" = 'BET_REFUND'), 0)
        - coalesce(sum(amount) filter (where "changeType" = 'REFUND_REVERSAL'), 0))) as told
    from counted group by 1`.execute(db);
  return Object.fromEntries(rows.map(({ userId, told }) => [userId, told]));
}

/** By the report; payouts without debts that were written off, which no slip moved. */
export async function toldByReport(db: Db): Promise<ByPlayer> {
  const { data } = await pageReport(db, { groupBy: 'USER', currentPage: 1, pageSize: 9_999 });
  const { rows } = await sql<{ userId: string; told: string }>`
    select r.key as "userId", concat_ws(' ', 'stake', trim_scale(r.stake), 'payout', trim_scale(r.payout - r."writtenOff"), 'refund', trim_scale(r.refund)) as told
    from jsonb_to_recordset(${JSON.stringify(data)}::jsonb) as r (key text, stake numeric, payout numeric, "writtenOff" numeric, refund numeric, slips integer)
    where r.stake <> 0`.execute(db);
  return Object.fromEntries(rows.map(({ userId, told }) => [userId, told]));
}
