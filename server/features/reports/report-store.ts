import { type RawBuilder, sql } from 'kysely';
import type { Input, Output } from '#contract/endpoint.ts';
import type { pageReport as asked, ReportTotals } from '#contract/reports.ts';
import type { Db } from '#server/db/database.ts';
import { namesOf } from './report-names.ts';
import { grouped, live } from './report-parts.ts';

type Figures = ReportTotals & { readonly key: string };

/** What a group comes to, in words of the wire. */
const measured = (source: string) => sql`
  select key, slips, players, as_money(stake) as stake, as_money(stake - refund) as turnover, as_money(payout) as payout,
    as_money(refund) as refund, as_money(rebate) as rebate, as_money(stake - refund - payout - rebate) as result,
    case when stake <> refund then round((stake - refund - payout - rebate) * 100 / (stake - refund), 2) end as rate,
    as_money(unsettled) as unsettled, as_money("writtenOff") as "writtenOff"
  from ${sql.table(source)}`;

/** Days newest first, all else by turnover; among equals by their keys, which are numbers or days. */
function orderOf({
  groupBy,
  sort = groupBy === 'DAY' ? '-key' : '-turnover',
}: Input<typeof asked>): RawBuilder<unknown> {
  const way = sort.startsWith('-') ? sql`desc` : sql`asc`;
  const column = sort.replace(/^-/, '');
  const byKey = sql`length(key) ${way}, key ${way}`;
  return column === 'key' ? byKey : sql`${sql.ref(column)} ${way} nulls last, ${byKey}`;
}

const NOTHING: ReportTotals = {
  ...{ slips: 0, players: 0, rate: null },
  ...{ stake: '0.00', turnover: '0.00', payout: '0.00', refund: '0.00', rebate: '0.00', result: '0.00' },
  ...{ unsettled: '0.00', writtenOff: '0.00' },
};

/** A page of the report and what all of it comes to, in one snapshot. */
export async function pageReport(db: Db, filter: Input<typeof asked>): Promise<Output<typeof asked>> {
  const { groupBy, currentPage, pageSize } = filter;
  const { rows } = await sql<Figures & { count: number | null }>`
    with ${live(filter)}, grouped as materialized (${grouped(groupBy, filter)}), whole as materialized (${grouped('ALL', filter)}),
      page as (
        select *, row_number() over () as place from (
          select * from (${measured('grouped')}) as row order by ${orderOf(filter)}
          limit ${pageSize} offset ${(currentPage - 1) * pageSize}) as cut)
    select *, 0 as place, (select count(*) from grouped) as count from (${measured('whole')}) as totals
    union all select page.*, null from page order by place`.execute(db);
  const [head, ...found] = rows.map(({ count, ...row }) => ({ count, row }));
  if (!head) return { totalCount: 0, data: [], totals: NOTHING };
  const names = await namesOf(
    db,
    groupBy,
    found.map(({ row }) => row.key),
  );
  const { key: _, ...totals } = told(head.row);
  return {
    totalCount: head.count ?? 0,
    data: found.map(({ row }) => ({ ...told(row), name: names.get(row.key) ?? row.key })),
    totals,
  };
}

/** Without its place. */
function told(row: Figures & { place?: number }): Figures {
  const { place: _, ...figures } = row;
  return figures;
}
