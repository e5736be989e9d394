import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Plans changed by one statement at most; the rest follow at the next. */
const BATCH = 5_000;

/**
 * Turns plans whose draw time has come from WAITTING to OPENING. None of them has a result yet: the database lets no record come
 * about before. Rows another server is at are left to it. Tells which games now wait for a result.
 */
export async function openDuePlans(db: Db, now: Date, gameId?: number): Promise<number[]> {
  const ofGame = gameId === undefined ? sql`true` : sql`"gameId" = ${gameId}`;
  // Whoever holds the game's plans for good (generating, clearing) must see every due one open; the timer may skip.
  const locking = gameId === undefined ? sql`for update skip locked` : sql`for update`;
  const { rows } = await sql<{ gameId: number }>`
    with due as materialized (
      select id from draw_plan where status = 'WAITTING' and "endTime" <= ${now}::timestamptz and ${ofGame}
      order by "endTime" limit ${BATCH} ${locking}
    )
    update draw_plan p set status = 'OPENING' from due where p.id = due.id returning p."gameId"`.execute(db);
  return [...new Set(rows.map((row) => row.gameId))];
}

/** When the next plan is due, in epoch milliseconds; nothing when none waits. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from min("endTime")) * 1000)::float8 as at from draw_plan where status = 'WAITTING'`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
}

/** A plan whose result has not come for long. */
export interface LatePlan {
  readonly gameId: number;
  readonly phase: string;
  readonly endTime: string;
}

/**
 * Marks plans that have waited ten of their own slots for a result (at least 30 s, at most 10 min), each once whatever
 * the number of servers, and gives those newly marked.
 */
export async function markLatePlans(db: Db, now: Date): Promise<LatePlan[]> {
  const { rows } = await sql<LatePlan>`
    with late as materialized (
      select id from draw_plan where status = 'OPENING' and "lateTime" is null
        and "endTime" + least(interval '10 minutes', greatest(interval '30 seconds', ("endTime" - "startTime") * 10))
          <= ${now}::timestamptz
      order by "endTime" limit ${BATCH} for update skip locked
    )
    update draw_plan p set "lateTime" = ${now}::timestamptz from late where p.id = late.id
    returning p."gameId", p.phase, p."endTime"`.execute(db);
  return rows;
}
