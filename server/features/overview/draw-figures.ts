import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import type { Db } from '#server/db/database.ts';
import { countAlarms, standingAlarms } from '../draw-plans/draw-alarms.ts';
import { unplannedGames } from '../draw-plans/generate-ahead.ts';
import { isLate } from '../draw-plans/unawaited-plans.ts';
import type { At } from '../games/current-phase.ts';
import type { Spans } from './spans.ts';

type Plans = NonNullable<Overview['plans']>;

/**
 * Draws whose time has come and that wait for their result, those of them that are late, those still to come today, and what should be
 * planned and is not.
 */
export async function planFigures(db: Db, { now, timeZone }: At, { today, tomorrow }: Spans): Promise<Plans> {
  const { rows } = await sql<Omit<Plans, 'unplanned'>>`
    select
      (select count(*) from draw_plan where status = 'OPENING') as opening,
      (select count(*) from draw_plan where ${isLate}) as late,
      (select count(*) from draw_plan where status = 'WAITTING'
        and "startTime" >= ${today}::timestamptz and "startTime" < ${tomorrow}::timestamptz) as upcoming`.execute(
    db,
  );
  const counts = rows[0] ?? { opening: 0, late: 0, upcoming: 0 };
  return { ...counts, unplanned: await unplannedGames(db, now, timeZone) };
}

const SHOWN_ALARMS = 20;

/** Phases with an alarm, the first due first. */
export async function alarmFigures(db: Db): Promise<NonNullable<Overview['alarms']>> {
  const { rows } = await sql<NonNullable<Overview['alarms']>['phases'][number]>`
    select a."gameId", g.name as "gameName", a.phase, p."endTime", a.reason
    from ${standingAlarms} join game g on g.id = a."gameId" order by p."endTime", p.id limit ${SHOWN_ALARMS}`.execute(
    db,
  );
  return { count: rows.length < SHOWN_ALARMS ? rows.length : await countAlarms(db), phases: rows };
}

/** Results that two sources disagree about. */
export async function conflictFigure(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from draw_record where conflict`.execute(db);
  return rows[0]?.n ?? 0;
}

const SHOWN_SPIDERS = 20;

/** Enabled collectors, and those whose last runs failed, the longest row of failures first. */
export async function spiderFigures(db: Db): Promise<NonNullable<Overview['spiders']>> {
  const failing = await sql<NonNullable<Overview['spiders']>['failing'][number]>`
    select s.id, s."gameId", g.name as "gameName", s.name, s."consecutiveFailures", left(s."lastError", 300) as "lastError"
    from spider s join game g on g.id = s."gameId"
    where s.enabled and s."consecutiveFailures" > 0
    order by s."consecutiveFailures" desc, s.id limit ${SHOWN_SPIDERS}`.execute(db);
  const counts = await sql<{ enabled: number; failingCount: number }>`
    select count(*) as enabled, count(*) filter (where "consecutiveFailures" > 0) as "failingCount"
    from spider where enabled`.execute(db);
  const { enabled = 0, failingCount = 0 } = counts.rows[0] ?? {};
  return { enabled, failingCount, failing: failing.rows };
}
