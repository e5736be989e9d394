import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { errorCode, errorDetail } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';
import type { NumberedRun } from './numbering.ts';

/** The slots of numbered runs as rows `phase`, `startTime`, `endTime`: what travels is a run, not its slots. */
const slotsOf = (runs: readonly NumberedRun[]): RawBuilder<unknown> => sql`
  select case when length(serial) < width then prefix || lpad(serial, width, '0') else prefix || serial end as phase,
    to_timestamp(start + n * rate) as "startTime", to_timestamp(start + (n + 1) * rate) as "endTime"
  from unnest(
      ${runs.map(({ start }) => start)}::bigint[], ${runs.map(({ rate }) => rate)}::bigint[],
      ${runs.map(({ count }) => count)}::bigint[], ${runs.map(({ prefix }) => prefix)}::text[],
      ${runs.map(({ first }) => String(first))}::numeric[], ${runs.map(({ width }) => width)}::integer[]
    ) as run (start, rate, count, prefix, first, width)
    cross join lateral generate_series(0, run.count - 1) as n
    cross join lateral (select (first + n)::text as serial) as s`;

/** The slots of a game that are to be planned at a moment. */
export interface Planned {
  readonly gameId: number;
  readonly runs: readonly NumberedRun[];
  readonly now: Date;
}

/** The slots that are free: none whose phase or time belongs to a plan that stands, as betting on it has begun. */
const freeSlots = ({ gameId, runs, now }: Planned): RawBuilder<unknown> => sql`
  with standing as materialized (
    select p.phase, p."startTime", p."endTime" from draw_plan p
    where p."gameId" = ${gameId} and p."startTime" <= ${now}::timestamptz and p."endTime" > ${now}::timestamptz
      and plan_stands(p, ${now}::timestamptz))
  select s.* from (${slotsOf(runs)}) as s where not exists (
    select from standing t where t.phase = s.phase or t."startTime" < s."endTime" and t."endTime" > s."startTime")`;

/** What the database says of a plan whose phase has a result; the phase is the error's detail. */
const PHASE_DRAWN = 'DR001';

function refusalOf(error: unknown): unknown {
  if (errorCode(error) !== PHASE_DRAWN) return error;
  return new Refusal('phaseDrawn', { values: { phase: errorDetail(error) } });
}

/**
 * Adds the plans of these runs that are not there, in one statement. Tells how many, and the phases of those that were promised before,
 * which they stay. Throws `phaseDrawn` when one of them has a result.
 */
export async function insertPlans(db: Db, planned: Planned): Promise<{ made: number; promised: string[] }> {
  const { gameId } = planned;
  const insert = sql<{ made: number; promised: string[] }>`
    with added as (
      insert into draw_plan ("gameId", phase, "startTime", "endTime", commitment)
      select ${gameId}::bigint, slot.phase, "startTime", "endTime", c.commitment
      from (${freeSlots(planned)}) as slot
        left join draw_commitment c on c."gameId" = ${gameId} and c.phase = slot.phase
      on conflict do nothing returning phase, commitment)
    select count(*) as made, coalesce(array_agg(phase) filter (where commitment is not null), '{}') as promised from added`;
  const { rows } = await insert.execute(db).catch((error: unknown) => {
    throw refusalOf(error);
  });
  return rows[0] ?? { made: 0, promised: [] };
}

/** WAITTING plans from elsewhere that stand in the way of these runs: another phase at their time, or their phase at another time. */
export async function deleteInTheWay(db: Db, planned: Planned): Promise<number> {
  const { gameId, now } = planned;
  const { numAffectedRows } = await sql`
    with slot as materialized (${freeSlots(planned)}), stray as (
      select p.id from slot join draw_plan p on p."gameId" = ${gameId} and p.phase = slot.phase
      where p."startTime" <> slot."startTime"
      union select p.id from slot join draw_plan p on p."gameId" = ${gameId} and p."startTime" = slot."startTime"
      where p.phase <> slot.phase
    )
    delete from draw_plan p using stray
    where p.id = stray.id and p.status = 'WAITTING' and p."startTime" > ${now}::timestamptz`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A phase of these runs that belongs to a plan of another time which must stay; nothing when there is none. */
export async function findTakenPhase(db: Db, planned: Planned): Promise<string | undefined> {
  const { gameId } = planned;
  const { rows } = await sql<{ phase: string }>`
    select slot.phase from (${freeSlots(planned)}) as slot
      join draw_plan p on p."gameId" = ${gameId} and p.phase = slot.phase
    where p."startTime" <> slot."startTime" order by slot."startTime" limit 1`.execute(db);
  return rows[0]?.phase;
}

/**
 * How many plans to come are not as these runs say, or are missing on a day that has some: what making them anew would change. Runs of
 * before and days without plans say nothing.
 */
export async function countUnlike(db: Db, planned: Planned): Promise<number> {
  const { gameId, now } = planned;
  const { rows } = await sql<{ n: number }>`
    with plan as materialized (
      select phase, "startTime", "endTime" from draw_plan
      where "gameId" = ${gameId} and status = 'WAITTING' and "startTime" > ${now}::timestamptz
    ), slot as (
      select * from (${freeSlots(planned)}) as s
      where "startTime" > ${now}::timestamptz and "startTime"::date in (select "startTime"::date from plan)
    )
    select greatest(count(*) filter (where plan.phase is null), count(*) filter (where slot.phase is null)) as n
    from plan full join slot using (phase, "startTime", "endTime")`.execute(db);
  return rows[0]?.n ?? 0;
}
