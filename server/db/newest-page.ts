import { type SelectQueryBuilder, sql } from 'kysely';
import type { Paging } from './counted-list.ts';
import type { Tables } from './database.ts';

/** A page of the rows of one table that match, the newest (by id) first, and how many match in all. */
export async function newestPage<T extends keyof Tables & string>(
  matching: SelectQueryBuilder<Tables, T, object>,
  { currentPage, pageSize }: Paging,
) {
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .selectAll()
    .orderBy(sql`id desc`)
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}
