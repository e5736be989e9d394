import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { addDays, type Day } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import { lastReleased } from './run-days.ts';

/** Nothing was released before it. */
const BEFORE_ALL = '0001-01-01';

/** The first day of which no rebate was released yet, nor of any after it; what was released goes by the rates of then. */
export async function firstOpenDay(db: Db): Promise<Day> {
  const last = await lastReleased(db);
  return last === undefined ? BEFORE_ALL : addDays(last, 1);
}

/**
 * Refuses to say, from a day on, what would change days that were released. Until the transaction ends no other day is worked out or released
 * either.
 */
export async function demandOpenDay(db: Db, day: Day): Promise<void> {
  // As what is written next does by its trigger, and before the run is held, as whoever works one out does: a day that was worked out after
  // this look would be released without what is said.
  await sql`lock table rebate_ground in row exclusive mode`.execute(db);
  await sql`select from rebate_run where status = 'PREPARED' for update`.execute(db);
  const last = await lastReleased(db);
  if (last !== undefined && day <= last)
    throw new Refusal('rateReleased', { field: 'validFrom', values: { day: last } });
}
