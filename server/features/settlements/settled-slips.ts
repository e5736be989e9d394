import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** How many outcomes slips were given so far: they are numbered. */
export async function settledSlips(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(max(id), 0) as n from slip_settlement`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
