import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type {
  pageRebateItems as askedItems,
  pageRebateRuns as askedRuns,
  RebateItem,
  RebateRun,
  sumRebateRuns as sumOfRuns,
} from '#contract/rebates.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { equals, on, where } from '#server/db/where.ts';
import type { Day } from '#server/platform-days.ts';
import { rebateOrderNo } from './pay-run.ts';

const waiting = sql<number>`(
  select count(*) from rebate_item i where i."runDay" = rebate_run.day and i."postTime" is null and i.amount > 0
    and rebate_run.status = 'PAYING')`;

const select = (db: Db) =>
  db
    .selectFrom('rebate_run')
    .select(['day', 'status', 'turnover', 'rebate', 'returned', 'invited', 'payees', 'unsettled'])
    .select(['stale', 'prepareTime', 'userName', 'releaseTime', 'doneTime', 'digest'])
    .select([waiting.as('waiting'), sql<Day[]>`corrected::text[]`.as('corrected')]);

const ways = { day: equals, status: equals } as const;

/** A page of runs, the latest day first. */
export function pageRebateRuns(db: Db, filter: Input<typeof askedRuns>): Promise<Page<RebateRun>> {
  const asked = where(filter, ways);
  return page(db, select(db).where(asked), filter, orderOfFew(filter.sort, { own: sql`day desc` }));
}

/** What the runs that match pay in all. */
export function sumRebateRuns(db: Db, filter: Input<typeof sumOfRuns>) {
  const total = (field: 'turnover' | 'rebate' | 'returned' | 'invited') =>
    sql<string>`as_money(coalesce(sum(${sql.ref(field)}), 0))`.as(field);
  return db
    .selectFrom('rebate_run')
    .select([total('turnover'), total('rebate'), total('returned'), total('invited')])
    .where(where(filter, ways))
    .executeTakeFirstOrThrow();
}

/** The run of a day, or the one that is to be released next; nothing where there is none. */
export async function findRun(db: Db, day: Day | undefined) {
  const matching =
    day === undefined ? select(db).where('status', '=', 'PREPARED') : select(db).where('day', '=', day);
  return matching.executeTakeFirst();
}

/** A page of what a run pays, the most first. */
export async function pageRebateItems(db: Db, filter: Input<typeof askedItems>): Promise<Page<RebateItem>> {
  const { day } = filter;
  const items = db
    .selectFrom('rebate_item')
    .select(['userId', 'kind', 'due', 'carried', 'amount', 'rest', 'postTime', 'problem'])
    .where(where(filter, { day: on('runDay', equals), kind: equals }));
  const { totalCount, data } = await page(db, items, filter, sql`amount desc, "userId", kind`);
  return { totalCount, data: data.map((row) => ({ ...row, bizOrderNo: rebateOrderNo(day, row.userId) })) };
}
