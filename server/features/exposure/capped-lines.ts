import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A line of a player whom caps may leave less than lines alone come to. */
export interface CappedLine {
  readonly id: number;
  readonly slipId: number;
  readonly userId: number;
  readonly playWayId: number;
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
  readonly maxPayout: string;
  readonly isSplit: boolean;
}

/** Of more slips nobody is looked at one by one, and of more lines nothing is cut: an answer is for somebody who waits. */
const MOST_SLIPS = 100_000;
const MOST_LINES = 5_000;

async function hasTooMany(db: Db, gameId: number, phase: string): Promise<boolean> {
  const { rows } = await sql`
    select from slip where "gameId" = ${gameId} and phase = ${phase} offset ${MOST_SLIPS} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The copies of rules of a phase by which something is capped. */
async function cappedRules(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from slip_rules where id = any(${[...ids]}::bigint[]) and jsonb_typeof(rules -> 'caps') = 'object'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The lines by some of these copies of rules of all players whom a cap may cut; what a line can pay at most tells who that is. */
async function linesOf(
  db: Db,
  gameId: number,
  phase: string,
  rules: readonly number[],
): Promise<CappedLine[]> {
  const { rows } = await sql<CappedLine>`
    with rule as materialized (
      select id, "cellSeparator" is not null as "isSplit", (rules #>> '{caps,unit}')::numeric as unit, (rules #>> '{caps,line}')::numeric as line,
        (rules #>> '{caps,slip,most}')::numeric as slip, rules #>> '{caps,slip,scope}' as "slipScope",
        (rules #>> '{caps,user,most}')::numeric as player, rules #>> '{caps,user,scope}' as "userScope"
      from slip_rules where id = any(${[...rules]}::bigint[])
    ), capped as materialized (
      select l.id, l."slipId", s."userId", l."playWayId", l."rulesId", l.selection, l.units, l."unitStake", l."maxPayout"
      from slip s join slip_line l on l."slipId" = s.id
      where s."gameId" = ${gameId} and s.phase = ${phase} and not s."testAccount" and l.status not in ('CANCELLED', 'VOID')
        and l."rulesId" = any(${[...rules]}::bigint[])
    ), concerned as (
      select "userId" from capped join rule r on r.id = "rulesId"
      where "maxPayout" >= r.line and (units > 1 or not r."isSplit") or r.unit is not null and not r."isSplit"
      union
      select "userId" from capped join rule r on r.id = "rulesId" where slip is not null
      group by "userId", "slipId", "slipScope" having sum("maxPayout") >= min(slip)
      union
      select "userId" from capped join rule r on r.id = "rulesId" where player is not null
      group by "userId", "userScope" having sum("maxPayout") >= min(player)
    )
    select c.id, "slipId", "userId", "playWayId", "rulesId", selection, "unitStake", "maxPayout", r."isSplit"
    from capped c join concerned using ("userId") join rule r on r.id = "rulesId"
    order by "userId", c.id limit ${MOST_LINES + 1}`.execute(db);
  return rows;
}

/** The lines of a phase that have to be looked at for caps to be taken off, player by player; nothing where there are too many. */
export async function cappedLines(
  db: Db,
  { gameId, phase, rules }: { gameId: number; phase: string; rules: readonly number[] },
): Promise<CappedLine[] | undefined> {
  const capped = await cappedRules(db, rules);
  if (capped.length === 0) return [];
  if (await hasTooMany(db, gameId, phase)) return undefined;
  const lines = await linesOf(db, gameId, phase, capped);
  return lines.length > MOST_LINES ? undefined : lines;
}
