import { sql } from 'kysely';
import type { CurrentPhase } from '#contract/platform-catalogue.ts';
import type { Db } from '#server/db/database.ts';
import { takesBets } from '../draw-plans/takes-bets.ts';

/** The phase of a game that takes bets at this moment, and the next that will begin; nothing where there is no such game. */
export async function phaseToBetOn(db: Db, gameId: number, now: Date): Promise<CurrentPhase | undefined> {
  const { rows } = await sql<CurrentPhase>`
    select ${now}::timestamptz as "serverTime", current.phase, current."startTime", current."closeTime", current."endTime",
      (select jsonb_build_object('phase', n.phase, 'startTime', substr(n."startTime"::text, 1, 19), 'endTime', substr(n."endTime"::text, 1, 19))
        from draw_plan n where n."gameId" = g.id and n.status = 'WAITTING' and n."startTime" > ${now}::timestamptz
        order by n."startTime" limit 1) as next
    from game g left join lateral (
      select phase, "startTime", "endTime", c.closes as "closeTime"
      from draw_plan, closing_of(g.id, draw_plan.phase, g."stopBetSecond", "startTime", "endTime") as c
      where draw_plan."gameId" = g.id and ${takesBets(now)}
        and g.status and g."betStatus" and g."stopBetSecond" >= 2
      order by "startTime" desc limit 1) as current on true
    where g.id = ${gameId}`.execute(db);
  return rows[0];
}
