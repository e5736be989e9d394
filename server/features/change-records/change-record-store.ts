import { sql } from 'kysely';
import { endpointsOf, nouns } from '#contract/all.ts';
import type { pageChangeRecords as pageOfChanges } from '#contract/change-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { containing, within } from '#server/db/search.ts';

type Filter = Input<typeof pageOfChanges>;

const shown = [
  'id',
  'createTime',
  'userName',
  'summary',
  'call',
  'targetId',
  'outcome',
  'msg',
  'address',
  'input',
  'before',
  'after',
] as const;

/** The names of the calls that stand under a heading of the contract. */
const callsOf = (heading: string): string[] =>
  Object.entries(nouns)
    .filter(([title]) => title === heading)
    .flatMap(([, calls]) => endpointsOf(calls).map(([name]) => name));

/** A page of the record, the newest first unless sorted otherwise, and how many match in all. */
export async function pageChangeRecords(db: Db, filter: Filter) {
  const {
    userName,
    summary,
    noun,
    targetId,
    outcome,
    address,
    createTimeRange,
    currentPage,
    pageSize,
    sort,
  } = filter;
  let matching = db.selectFrom('change_record');
  if (userName) matching = matching.where(sql<boolean>`lower("userName") = lower(${userName})`);
  if (summary) matching = matching.where('summary', 'ilike', containing(summary));
  if (noun) matching = matching.where(sql<boolean>`call = any(${callsOf(noun)}::text[])`);
  if (targetId) matching = matching.where('targetId', '=', targetId);
  if (outcome) matching = matching.where('outcome', '=', outcome);
  if (address) matching = matching.where('address', 'ilike', containing(address));
  if (createTimeRange) matching = matching.where(within('createTime', createTimeRange));
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .select(shown)
    .orderBy(orderBy(sort))
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}

/** A change as it was written down; nothing when there is no such one. */
export async function findChange(db: Db, id: number) {
  return db
    .selectFrom('change_record')
    .select(['call', 'input', 'before', 'after'])
    .where('id', '=', id)
    .executeTakeFirst();
}
