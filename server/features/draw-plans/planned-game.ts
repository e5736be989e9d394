import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { PlannedGame } from './numbering.ts';

async function readGame(
  db: Db,
  gameId: number,
  locking: RawBuilder<unknown>,
): Promise<PlannedGame | undefined> {
  const { rows } = await sql<PlannedGame>`
    select "openRate", phase, "phaseRule", floor(extract(epoch from "phaseTime"))::float8 as "phaseTime",
      current_setting('TimeZone') as "timeZone",
      coalesce((select jsonb_agg(jsonb_build_object('start', r.start, 'end', r."end", 'openRate', r."openRate", 'weekdays', r.weekdays) order by r.start)
        from bet_time_range r where r."gameId" = game.id), '[]') as "timeRanges"
    from game where id = ${gameId} ${locking}`.execute(db);
  return rows[0];
}

/** What a game's plans follow from, by the days of the platform's zone; nothing when there is no such game. */
export const findPlannedGame = (db: Db, gameId: number): Promise<PlannedGame | undefined> =>
  readGame(db, gameId, sql``);

/**
 * The same; until the transaction ends no other one changes the game, plans it or keeps results of it. Throws
 * `recordNotFound`.
 */
export async function lockPlannedGame(db: Db, gameId: number): Promise<PlannedGame> {
  const game = await readGame(db, gameId, sql`for no key update`);
  if (!game) throw new Refusal('recordNotFound', { field: 'gameId' });
  return game;
}
