import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { refusalOfPlacing } from './placing-refusals.ts';

/** Takes a slip back before its phase closes; see `cancel_slip` in db/schema.sql. Throws `Refusal`. */
export async function cancelSlip(db: Db, id: number, who: string, why: string | undefined): Promise<void> {
  try {
    await sql`select cancel_slip(${id}, ${who}, ${why ?? null})`.execute(db);
  } catch (error) {
    throw refusalOfPlacing(error) ?? error;
  }
}
