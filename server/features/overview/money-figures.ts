import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import { countRows } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { users } from '../users/user-store.ts';
import type { Spans } from './spans.ts';

type OrderFigures = NonNullable<Overview['deposits']>;
type OrderTable = 'deposit' | 'withdrawal';

/** Rows of each span, by when they came. */
const within = {
  today: ({ today }: Spans) => sql`"createTime" >= ${today}::timestamptz`,
  yesterday: ({ yesterday, yesterdayEnd }: Spans) =>
    sql`"createTime" >= ${yesterday}::timestamptz and "createTime" < ${yesterdayEnd}::timestamptz`,
  month: ({ month }: Spans) => sql`"createTime" >= ${month}::timestamptz`,
  lastMonth: ({ lastMonth, lastMonthEnd }: Spans) =>
    sql`"createTime" >= ${lastMonth}::timestamptz and "createTime" < ${lastMonthEnd}::timestamptz`,
};
/** All rows of any span. */
const inAny = ({ lastMonth, yesterday }: Spans) =>
  sql`"createTime" >= least(${lastMonth}::timestamptz, ${yesterday}::timestamptz)`;

/** How many paid orders and how much, by span; and what waits for a decision. */
export async function orderFigures(db: Db, table: OrderTable, spans: Spans): Promise<OrderFigures> {
  const figures = (condition: ReturnType<typeof sql>) => sql`json_build_object(
    'count', count(*) filter (where ${condition}),
    'amount', as_money(coalesce(sum(amount) filter (where ${condition}), 0))::text)`;
  const { rows } = await sql<OrderFigures>`
    with paid as (
      select ${figures(within.today(spans))} as today, ${figures(within.yesterday(spans))} as yesterday,
        ${figures(within.month(spans))} as month, ${figures(within.lastMonth(spans))} as "lastMonth"
      from ${sql.table(table)} where status = 'SUCCESS' and ${inAny(spans)}
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
export async function userFigures(db: Db, spans: Spans): Promise<NonNullable<Overview['players']>> {
  const count = (condition: ReturnType<typeof sql>) => sql`count(*) filter (where ${condition})`;
  const come = sql<Omit<NonNullable<Overview['players']>, 'total'>>`
    select ${count(within.today(spans))} as today, ${count(within.yesterday(spans))} as yesterday,
      ${count(within.month(spans))} as month, ${count(within.lastMonth(spans))} as "lastMonth"
    from player where ${inAny(spans)}`;
  const [{ rows }, total] = await Promise.all([come.execute(db), countRows(db, users, {})]);
  return { ...given(rows[0]), total };
}
