import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { PlannedGame } from './numbering.ts';

/** What a game's plans follow from, by the days of the platform's zone; nothing when there is no such game. */
export async function findPlannedGame(db: Db, gameId: number): Promise<PlannedGame | undefined> {
  const { rows } = await sql<PlannedGame>`
    select "openRate", phase, "phaseRule", floor(extract(epoch from "phaseTime"))::float8 as "phaseTime",
      current_setting('TimeZone') as "timeZone",
      coalesce((select jsonb_agg(jsonb_build_object('start', r.start, 'end', r."end", 'openRate', r."openRate", 'weekdays', r.weekdays) order by r.start)
        from bet_time_range r where r."gameId" = game.id), '[]') as "timeRanges"
    from game where id = ${gameId}`.execute(db);
  return rows[0];
}

/**
 * The same; until the transaction ends no other one changes the game, plans it or keeps results of it. Throws
 * `recordNotFound`.
 */
export async function lockPlannedGame(db: Db, gameId: number): Promise<PlannedGame> {
  // A statement of its own: one that waited here would read the game as it has become, and its betting times as they were.
  await sql`select from game where id = ${gameId} for no key update`.execute(db);
  const game = await findPlannedGame(db, gameId);
  if (!game) throw new Refusal('recordNotFound', { field: 'gameId' });
  return game;
}
