import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A line as it was settled, and whose it is. */
export interface SettledLine {
  readonly id: number;
  readonly slipId: number;
  readonly userId: number;
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
    select id from slip where "gameId" = ${gameId} and phase = ${phase} order by id limit ${room.slips + 1}`.execute(
    db,
  );
  return { ids: rows.slice(0, room.slips).map(({ id }) => id), isWhole: rows.length <= room.slips };
}

/** From which settled lines (as `l`) are read, with their slips (as `s`) and the copies of rules that they keep (as `r`). */
const settled = sql`
  select l.id, l."slipId", s."userId", l."rulesId", l.selection, l."unitStake", l.stake, l.payout, l.refund
  from slip s join slip_line l on l."slipId" = s.id and l.status in ('WON', 'LOST', 'PUSHED') join slip_rules r on r.id = l."rulesId"`;

/** As many of these as there is room for, which they take, in the order in which settling cuts them. */
async function within(db: Db, wanted: RawBuilder<unknown>, room: Room) {
  const { rows } = await sql<SettledLine>`
    ${settled} where ${wanted} order by s.id, l.id limit ${room.lines + 1}`.execute(db);
  const lines = rows.slice(0, room.lines);
  room.lines -= lines.length;
  return { lines, isWhole: lines.length === rows.length };
}

/** Settled lines of a phase, as far as there is room, which they take. */
export async function settledLines(db: Db, wanted: Wanted, phase: string, room: Room) {
  const { gameId, latitudeId, playWayId = null } = wanted;
  const { ids, isWhole } = await slipsOf(db, gameId, phase, room);
  room.slips -= ids.length;
  if (ids.length === 0) return { lines: [], isWhole };
  const found = await within(
    db,
    sql`s.id = any(${ids}::bigint[]) and (r.rules #>> '{latitude,id}')::bigint = ${latitudeId}
      and (${playWayId}::bigint is null or l."playWayId" = ${playWayId})`,
    room,
  );
  return { lines: found.lines, isWhole: isWhole && found.isWhole };
}

/** The other lines of these players in a phase that caps of slips and players cut together with theirs, as far as there is room, which they take. */
export async function linesBeside(
  db: Db,
  { gameId, phase, users }: { gameId: number; phase: string; users: ReadonlySet<number> },
  lines: readonly SettledLine[],
  room: Room,
) {
  if (users.size === 0) return { lines: [], isWhole: true };
  const besides = sql`
    s."gameId" = ${gameId} and s.phase = ${phase} and s."userId" = any(${[...users]}::bigint[])
      and l.id <> all(${lines.map(({ id }) => id)}::bigint[]) and (r.rules #> '{caps,slip}' is not null or r.rules #> '{caps,user}' is not null)`;
  return within(db, besides, room);
}

/** Copies of rules by their ids. */
export async function keptRules(db: Db, ids: readonly number[]): Promise<Map<number, unknown>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('slip_rules').select(['id', 'rules']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}
