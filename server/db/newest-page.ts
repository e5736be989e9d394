import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './database.ts';

/** Which page: from 1, of so many rows. */
export interface PageNumber {
  readonly currentPage: number;
  readonly pageSize: number;
}

/** A page of the rows of one table that match, the newest (by id) first, and how many match in all. */
export async function newestPage<T extends keyof Tables & string>(
  matching: SelectQueryBuilder<Tables, T, object>,
  { currentPage, pageSize }: PageNumber,
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
