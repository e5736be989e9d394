import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A line as it was settled. */
export interface SettledLine {
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
  readonly stake: string;
  readonly payout: string;
  readonly refund: string;
}

/** Which lines are looked at: those that a latitude decided, of one play way or of all. */
export interface Wanted {
  readonly gameId: number;
  readonly latitudeId: number;
  readonly playWayId: number | undefined;
}

/** How many slips and lines may still be looked at. */
export interface Room {
  slips: number;
  lines: number;
}

/** Slips of a phase, as many as there is room for, and whether there are more. */
async function slipsOf(db: Db, gameId: number, phase: string, room: Room) {
  const { rows } = await sql<{ id: number }>`
    select id from slip where "gameId" = ${gameId} and phase = ${phase} limit ${room.slips + 1}`.execute(db);
  return { ids: rows.slice(0, room.slips).map(({ id }) => id), isWhole: rows.length <= room.slips };
}

/** Settled lines of a phase, as far as there is room, which they take. */
export async function settledLines(db: Db, wanted: Wanted, phase: string, room: Room) {
  const { gameId, latitudeId, playWayId = null } = wanted;
  const { ids, isWhole } = await slipsOf(db, gameId, phase, room);
  room.slips -= ids.length;
  if (ids.length === 0) return { lines: [], isWhole };
  const { rows } = await sql<SettledLine>`
    select l."rulesId", l.selection, l."unitStake", l.stake, l.payout, l.refund
    from slip_line l join slip_rules r on r.id = l."rulesId"
    where l."slipId" = any(${ids}::bigint[]) and l.status in ('WON', 'LOST', 'PUSHED')
      and (r.rules #>> '{latitude,id}')::bigint = ${latitudeId}
      and (${playWayId}::bigint is null or l."playWayId" = ${playWayId}) limit ${room.lines + 1}`.execute(db);
  const lines = rows.slice(0, room.lines);
  room.lines -= lines.length;
  return { lines, isWhole: isWhole && lines.length === rows.length };
}

/** Copies of rules by their ids. */
export async function keptRules(db: Db, ids: readonly number[]): Promise<Map<number, unknown>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('slip_rules').select(['id', 'rules']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}
