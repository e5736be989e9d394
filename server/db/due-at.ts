import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/** The moment that a query selects, in epoch milliseconds; undefined when it selects none. */
export async function dueAt(db: Db, moment: RawBuilder<unknown>): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from (${moment})) * 1000)::float8 as at`.execute(db);
  return rows[0]?.at ?? undefined;
}
