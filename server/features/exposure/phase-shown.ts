import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/**
 * The phase that is shown where none is said: the one that is closed and waits for its draw, else the one that has begun. Of those that began
 * before the last two, none: where sources have been silent for long, older ones are no longer what is looked for.
 */
export async function phaseShown(db: Db, gameId: number, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ phase: string }>`
    select phase from (
      select p.phase, p.status, p."startTime", c.closes from draw_plan p join game g on g.id = p."gameId",
        closing_of(g.id, p.phase, g."stopBetSecond", p."startTime", p."endTime") as c
      where p."gameId" = ${gameId} and p."startTime" <= ${now}::timestamptz order by p."startTime" desc limit 2) as begun
    where status in ('WAITTING', 'OPENING')
    order by closes <= ${now}::timestamptz desc, "startTime" desc limit 1`.execute(db);
  return rows[0]?.phase;
}
