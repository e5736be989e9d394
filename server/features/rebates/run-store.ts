import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type {
  pageRebateItems as askedItems,
  pageRebateRuns as askedRuns,
  RebateItem,
  RebateRun,
} from '#contract/rebates.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
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

/** A page of runs, the latest day first. */
export async function pageRuns(
  db: Db,
  { day, status, sort, currentPage, pageSize }: Input<typeof askedRuns>,
) {
  let matching = select(db);
  let count = db.selectFrom('rebate_run').select(({ fn }) => fn.countAll<number>().as('n'));
  if (day !== undefined) {
    matching = matching.where('day', '=', day);
    count = count.where('day', '=', day);
  }
  if (status !== undefined) {
    matching = matching.where('status', '=', status);
    count = count.where('status', '=', status);
  }
  const { n } = await count.executeTakeFirstOrThrow();
  const rows = await matching
    .orderBy(orderOfFew(sort, { own: sql`day desc` }))
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount: n, data: rows.map(({ digest: _, ...run }): RebateRun => run) };
}

/** The run of a day, or the one that is to be released next; nothing where there is none. */
export async function findRun(db: Db, day: Day | undefined) {
  const matching =
    day === undefined ? select(db).where('status', '=', 'PREPARED') : select(db).where('day', '=', day);
  return matching.executeTakeFirst();
}

/** A page of what a run pays, the most first. */
export async function pageItems(
  db: Db,
  { day, kind, currentPage, pageSize }: Input<typeof askedItems>,
): Promise<{ totalCount: number; data: RebateItem[] }> {
  let matching = db.selectFrom('rebate_item').where('runDay', '=', day);
  if (kind !== undefined) matching = matching.where('kind', '=', kind);
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(['userId', 'kind', 'due', 'carried', 'amount', 'rest', 'postTime', 'problem'])
    .orderBy('amount', 'desc')
    .orderBy('userId')
    .orderBy('kind')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data: rows.map((row) => ({ ...row, bizOrderNo: rebateOrderNo(day, row.userId) })) };
}
