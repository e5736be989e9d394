import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import { type FailedPhase, isNotSetAside, phasesOf, togetherOrAlone } from './draw-alarms.ts';

/** Plans changed by one statement at most; the rest follow at the next. */
const BATCH = 5_000;

/** How long after its draw time a plan (of `draw_plan`) without a result is late: ten of its own slots, within reason. */
const LATE = sql`least(interval '10 minutes', greatest(interval '30 seconds', ("endTime" - "startTime") * 10))`;

const isDue = (now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`p.status = 'WAITTING' and p."endTime" <= ${now}::timestamptz`;

/** Opens plans and ends their alarms; tells of which games they are. */
async function open(db: Db, which: RawBuilder<SqlBool>, locking: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ gameId: number }>`
    with due as materialized (
      select p.id from draw_plan p where ${which} order by p."endTime" limit ${BATCH} ${locking}
    ), opened as (
      update draw_plan p set status = 'OPENING' from due where p.id = due.id returning p."gameId", p.phase
    ), ended as (
      delete from draw_alarm a using opened o where a."gameId" = o."gameId" and a.phase = o.phase
    )
    select distinct "gameId" from opened`.execute(db);
  return rows.map(({ gameId }) => gameId);
}

/**
 * Turns a game's plans whose draw time has come from WAITTING to OPENING. None of them has a result yet: the database lets no
 * record come about before. Whoever holds the game's plans for good (generating, clearing) must see every due one open.
 */
export async function openDuePlans(db: Db, now: Date, gameId: number): Promise<void> {
  await open(db, sql<SqlBool>`${isDue(now)} and p."gameId" = ${gameId}`, sql`for update`);
}

/**
 * The same for all games. Rows another server is at are left to it, a plan that cannot be opened is set aside. Tells which
 * games now wait for a result.
 */
export async function openAllDuePlans(
  db: Db,
  now: Date,
): Promise<{ waiting: number[]; failed: FailedPhase[] }> {
  const which = sql<SqlBool>`${isDue(now)} and ${isNotSetAside(now)}`;
  const skipping = sql`for update skip locked`;
  const { done, failed } = await togetherOrAlone(db, now, {
    together: () => open(db, which, skipping),
    due: () => phasesOf(db, which, BATCH),
    alone: (id) => open(db, sql<SqlBool>`p.id = ${id} and ${which}`, skipping),
  });
  return { waiting: [...new Set(done.flat())], failed };
}

/** When the next plan is due, in epoch milliseconds; nothing when none waits. */
export const nextDue = (db: Db, now: Date): Promise<number | undefined> =>
  dueAt(
    db,
    sql`select p."endTime" from draw_plan p
    where p.status = 'WAITTING' and ${isNotSetAside(now)} order by p."endTime" limit 1`,
  );

/** A plan whose result has not come for long. */
export interface LatePlan {
  readonly gameId: number;
  readonly phase: string;
  readonly endTime: string;
}

/** When the next plan without a result is late, in epoch milliseconds; nothing when none waits for one. */
export const nextLate = (db: Db): Promise<number | undefined> =>
  dueAt(
    db,
    sql`select min("endTime" + ${LATE}) from draw_plan where status = 'OPENING' and "lateTime" is null`,
  );

/**
 * Marks plans that have waited ten of their own slots for a result (at least 30 s, at most 10 min), each once whatever
 * the number of servers, and gives those newly marked.
 */
export async function markLatePlans(db: Db, now: Date): Promise<LatePlan[]> {
  const { rows } = await sql<LatePlan>`
    with late as materialized (
      select id from draw_plan where status = 'OPENING' and "lateTime" is null
        and "endTime" + ${LATE} <= ${now}::timestamptz
      order by "endTime" limit ${BATCH} for update skip locked
    )
    update draw_plan p set "lateTime" = ${now}::timestamptz from late where p.id = late.id
    returning p."gameId", p.phase, p."endTime"`.execute(db);
  return rows;
}
