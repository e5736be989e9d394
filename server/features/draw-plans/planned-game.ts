import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { TimeRange } from '../games/bet-time-ranges.ts';
import type { PhaseRule, PlannedGame } from './numbering.ts';

interface Row {
  openRate: number;
  phase: string;
  phaseTime: number;
  phaseRule: PhaseRule;
  timeRanges: TimeRange[];
}

/**
 * What a game's plans follow from. Until the transaction ends no other one changes the game or plans it. Throws
 * `recordNotFound`.
 */
export async function lockPlannedGame(db: Db, gameId: number, timeZone: string): Promise<PlannedGame> {
  const { rows } = await sql<Row>`
    select "openRate", phase, "phaseRule", extract(epoch from "phaseTime")::float8 as "phaseTime",
      coalesce((select jsonb_agg(jsonb_build_object('start', r.start, 'end', r."end", 'openRate', r."openRate", 'weekdays', r.weekdays) order by r.start)
        from bet_time_range r where r."gameId" = game.id), '[]') as "timeRanges"
    from game where id = ${gameId} for no key update`.execute(db);
  const [game] = rows;
  if (!game) throw new Refusal('recordNotFound', { field: 'gameId' });
  return { ...game, phaseTime: Math.floor(game.phaseTime), timeZone };
}
