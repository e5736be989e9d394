import { sql } from 'kysely';
import { endpointsOf, nouns } from '#contract/all.ts';
import type { pageChangeRecords as pageOfChanges } from '#contract/change-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import { contains, equals, on, same, where, within } from '#server/db/where.ts';

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
export function pageChangeRecords(db: Db, filter: Filter) {
  const asked = where(filter, {
    ...{ userName: same, summary: contains, targetId: equals, outcome: equals, address: contains },
    noun: (noun) => sql`call = any(${callsOf(noun)}::text[])`,
    createTimeRange: on('createTime', within),
  });
  return page(db, db.selectFrom('change_record').where(asked).select(shown), filter);
}

/** A change as it was written down; nothing when there is no such one. */
export async function findChange(db: Db, id: number) {
  return db
    .selectFrom('change_record')
    .select(['call', 'targetId', 'input', 'before', 'after'])
    .where('id', '=', id)
    .executeTakeFirst();
}
