import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';

/** Nothing was released before it. */
const BEFORE_ALL = '0001-01-01';

/** The first day of which no rebate was released yet, nor of any after it; what was released goes by the rates of then. */
export async function firstOpenDay(db: Db): Promise<Day> {
  const { rows } = await sql<{ day: Day | null }>`
    select (max(day) + 1)::text as day from rebate_run where status <> 'PREPARED'`.execute(db);
  return rows[0]?.day ?? BEFORE_ALL;
}

/**
 * Refuses to say, from a day on, what would change days that were released. Until the transaction ends no other day is released either.
 */
export async function demandOpenDay(db: Db, day: Day): Promise<void> {
  await sql`select from rebate_run where status = 'PREPARED' for update`.execute(db);
  const open = await firstOpenDay(db);
  if (day >= open) return;
  const { rows } = await sql<{ last: Day }>`select (${open}::date - 1)::text as last`.execute(db);
  throw new Refusal('rateReleased', { field: 'validFrom', values: { day: rows[0]?.last ?? '' } });
}
