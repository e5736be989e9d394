import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { addDays, type Day } from '#server/platform-days.ts';
import type { Opposing } from './opposing.ts';

/** By what a day's run is worked out, whenever that is. */
export interface Ways {
  readonly opposing: Opposing;
  readonly ownSlips: boolean;
}

export const waysOfNow = async (db: Db): Promise<Ways> => ({
  opposing: await readParam(db, 'rebate.opposing'),
  ownSlips: await readParam(db, 'rebate.ownSlips'),
});

/**
 * Days of the report with slips that settlements touched after a moment, as was told when they were listed. Where a version before 0.19 listed
 * them, it is the day of one of them.
 */
async function daysTouchedSince(db: Db, time: string): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    select distinct d.day::text as day from settlement t, unnest(coalesce(t.days, array(
      select day from slip s where s."gameId" = t."gameId" and s.phase = t.phase limit 1))) as d (day)
    where t."endTime" > ${time}::timestamptz`.execute(db);
  return rows.map(({ day }) => day);
}

/**
 * The exact moment at which the last of some runs looked; read as text, so that nothing of it is cut off. A moment that is still to come was
 * told by a clock that was set back since: what was settled after that look may have ended before it.
 */
async function lastLook(db: Db, which: RawBuilder<SqlBool>): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select max("seenTime")::text as at from rebate_run where ${which} and "seenTime" <= clock_timestamp()`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
}

/** Whether slips of a prepared day, or of one before it, were settled after its run looked, or nobody can say so. */
export async function isOvertaken(db: Db, day: Day): Promise<boolean> {
  const seen = await lastLook(db, sql<SqlBool>`day = ${day}::date`);
  if (seen === undefined) return true;
  return (await daysTouchedSince(db, seen)).some((touched) => touched <= day);
}

/** Days that were released before this one, and whose slips were settled otherwise after the last release looked. */
export async function daysToCorrect(db: Db, day: Day): Promise<Map<Day, Ways>> {
  const released = await db
    .selectFrom('rebate_run')
    .select(['day', 'opposing', 'ownSlips'])
    .where('day', '<', day)
    .where('status', '<>', 'PREPARED')
    .orderBy('day')
    .execute();
  if (released.length === 0) return new Map();
  const seen = await lastLook(db, sql<SqlBool>`day < ${day}::date and status <> 'PREPARED'`);
  const touched = await daysTouchedSince(db, seen ?? '-infinity');
  return new Map(released.filter((run) => touched.includes(run.day)).map((run) => [run.day, run]));
}

/**
 * The first day there is something to pay for: the first with slips on which any share was said, or rewards are given. Days before the first
 * slip have no run.
 */
async function firstDay(db: Db): Promise<Day | undefined> {
  const isInviting = /[1-9]/.test(await readParam(db, 'invite.reward'));
  const { rows } = await sql<{ day: Day | null }>`
    select greatest((select min(day) from slip), least(
      (select min("validFrom") from rebate_rate where rate > 0), (select min("validFrom") from agent_rate where rate > 0),
      case when ${isInviting} then report_day(clock_timestamp()) - 1 end))::text as day
    where exists (select from slip) and (${isInviting} or exists (select from rebate_rate where rate > 0)
      or exists (select from agent_rate where rate > 0))`.execute(db);
  return rows[0]?.day ?? undefined;
}

/** The last day whose rebates were released. */
export async function lastReleased(db: Db): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day | null }>`
    select max(day)::text as day from rebate_run where status <> 'PREPARED'`.execute(db);
  return rows[0]?.day ?? undefined;
}

const isOver = async (db: Db, day: Day): Promise<boolean> => {
  const { rows } = await sql<{ over: boolean }>`
    select report_day(clock_timestamp()) > ${day}::date as over`.execute(db);
  return rows[0]?.over === true;
};

/** The day whose run is to be worked out now: the next one that is over, or the one that is prepared and no longer true. */
export async function dayToPrepare(db: Db): Promise<Day | undefined> {
  const prepared = await db
    .selectFrom('rebate_run')
    .select(['day', 'stale'])
    .where('status', '=', 'PREPARED')
    .executeTakeFirst();
  if (prepared) return prepared.stale || (await isOvertaken(db, prepared.day)) ? prepared.day : undefined;
  const released = await lastReleased(db);
  const next = released === undefined ? await firstDay(db) : addDays(released, 1);
  return next !== undefined && (await isOver(db, next)) ? next : undefined;
}
