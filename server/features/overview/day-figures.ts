import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import type { Db } from '#server/db/database.ts';
import { DAYS, type Spans } from './spans.ts';

/** Money moved and players come, day by day. */
export async function dayFigures(db: Db, { firstDay }: Spans): Promise<Overview['days']> {
  const sums = (table: 'deposit' | 'withdrawal') => sql`
    select "createTime"::date as day, sum(amount) as amount from ${sql.table(table)}
    where status = 'SUCCESS' and "createTime" >= ${firstDay}::timestamptz group by 1`;
  const { rows } = await sql<Overview['days'][number]>`
    with d as (${sums('deposit')}), w as (${sums('withdrawal')}), p as (
      select "createTime"::date as day, count(*) as n from player
      where "createTime" >= ${firstDay}::timestamptz group by 1)
    select to_char(days.day, 'YYYY-MM-DD') as day,
      as_money(coalesce(d.amount, 0))::text as deposits, as_money(coalesce(w.amount, 0))::text as withdrawals,
      as_money(coalesce(d.amount, 0) - coalesce(w.amount, 0))::text as net, coalesce(p.n, 0) as players
    from (select current_date - n as day from generate_series(0, ${DAYS - 1}::int) as n) days
      left join d using (day) left join w using (day) left join p using (day)
    order by days.day`.execute(db);
  return rows;
}
