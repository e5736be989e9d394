import { type RawBuilder, sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import { countRows } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { users } from '../users/user-store.ts';

type OrderFigures = NonNullable<Overview['deposits']>;
type OrderTable = 'deposit' | 'withdrawal';

/**
 * The four spans that figures are told for, each up to this moment of its day; on a day that last month had not got, all of that. They are
 * reckoned as clocks show them: where a day begins at one, since its midnight is skipped, the day before begins at midnight all the same.
 */
export const spanBoundsAt = (now: RawBuilder<unknown>) => sql`
  select today::timestamptz as today, month::timestamptz as month, (today - interval '1 day')::timestamptz as yesterday,
    (shown - interval '1 day')::timestamptz as "yesterdayEnd", (month - interval '1 month')::timestamptz as "lastMonth",
    (case when extract(day from shown - interval '1 month') < extract(day from shown) then month
      else shown - interval '1 month' end)::timestamptz as "lastMonthEnd"
  from (select shown, date_trunc('day', shown) as today, date_trunc('month', shown) as month
    from (select ${now}::timestamp as shown) as clock) as clock`;
const spanBounds = spanBoundsAt(sql`now()`);

/** How many paid orders and how much, by span; and what waits for a decision. */
export async function orderFigures(db: Db, table: OrderTable): Promise<OrderFigures> {
  const figures = (condition: ReturnType<typeof sql>) => sql`json_build_object(
    'count', count(*) filter (where ${condition}),
    'amount', as_money(coalesce(sum(amount) filter (where ${condition}), 0))::text)`;
  const { rows } = await sql<OrderFigures>`
    with b as (${spanBounds}), paid as (
      select ${figures(sql`"createTime" >= today`)} as today,
        ${figures(sql`"createTime" >= yesterday and "createTime" < "yesterdayEnd"`)} as yesterday,
        ${figures(sql`"createTime" >= month`)} as month,
        ${figures(sql`"createTime" >= "lastMonth" and "createTime" < "lastMonthEnd"`)} as "lastMonth"
      from ${sql.table(table)}, b
      where status = 'SUCCESS' and "createTime" >= least("lastMonth", yesterday)
    ), waiting as (
      select count(*) as count, as_money(coalesce(sum(amount), 0))::text as amount,
        to_char(min("createTime"), 'YYYY-MM-DD HH24:MI:SS') as since,
        greatest(0, coalesce(extract(epoch from now() - min("createTime")), 0))::int as seconds
      from ${sql.table(table)} where status = 'PROCESSING'
    )
    select paid.*, row_to_json(waiting) as waiting from paid, waiting`.execute(db);
  return given(rows[0]);
}

/** Deposits less withdrawals, exactly. */
export async function netOf(
  db: Db,
  deposits: OrderFigures,
  withdrawals: OrderFigures,
): Promise<NonNullable<Overview['net']>> {
  const less = (span: 'today' | 'yesterday' | 'month' | 'lastMonth') =>
    sql`as_money(${deposits[span].amount}::numeric - ${withdrawals[span].amount}::numeric)::text`;
  const { rows } = await sql<NonNullable<Overview['net']>>`
    select ${less('today')} as today, ${less('yesterday')} as yesterday, ${less('month')} as month,
      ${less('lastMonth')} as "lastMonth"`.execute(db);
  return given(rows[0]);
}

/** New players by span, and all there are (from the exact counts that the lists keep). */
export async function userFigures(db: Db): Promise<NonNullable<Overview['players']>> {
  const spans = sql<Omit<NonNullable<Overview['players']>, 'total'>>`
    with b as (${spanBounds})
    select count(*) filter (where "createTime" >= today) as today,
      count(*) filter (where "createTime" >= yesterday and "createTime" < "yesterdayEnd") as yesterday,
      count(*) filter (where "createTime" >= month) as month,
      count(*) filter (where "createTime" >= "lastMonth" and "createTime" < "lastMonthEnd") as "lastMonth"
    from player, b where "createTime" >= least("lastMonth", yesterday)`.execute(db);
  const [{ rows }, total] = await Promise.all([spans, countRows(db, users, {})]);
  return { ...given(rows[0]), total };
}
