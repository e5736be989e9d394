import type { SelectQueryBuilder } from 'kysely';
import type { Paging } from './counted-list.ts';
import type { Tables } from './database.ts';
import { orderBy } from './list-order.ts';

/** A page of the rows of one table that match, in the order asked for or the newest (by id) first, and how many match in all. */
export async function newestPage<T extends keyof Tables & string>(
  matching: SelectQueryBuilder<Tables, T, object>,
  { currentPage, pageSize, sort }: Paging,
) {
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .selectAll()
    .orderBy(orderBy(sort))
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}
