import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { drawPlanFilters, type pageDrawPlans as pageOfPlans } from '#contract/draw-plans.ts';
import type { Input } from '#contract/endpoint.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { gameKeys, ofGameKeys } from '#server/db/counted-by-game.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { writtenPage } from '#server/db/page.ts';
import { asking, equals, type Way } from '#server/db/where.ts';
import { asMoment } from '#server/db/written.ts';
import { standingAlarms } from './draw-alarms.ts';
import { takesBets } from './takes-bets.ts';
import { isLate } from './unawaited-plans.ts';

type Filter = Input<typeof pageOfPlans>;

const list: CountedList = { table: 'draw_plan', time: 'startTime', ofKeys: ofGameKeys };

const alarm = sql<string | null>`case when status in ('WAITTING', 'OPENING') then (
  select a.reason from draw_alarm a where a."gameId" = draw_plan."gameId" and a.phase = draw_plan.phase) end`;
const voidReason = sql<string | null>`case when status = 'VOID' then (
  select v.reason from draw_void v where v."gameId" = draw_plan."gameId" and v.phase = draw_plan.phase) end`;

/**
 * A status alone is said as a range and sorted by, which only the index of status and id serves: plans that wait are the
 * newest, and those of another status would be looked for behind all of them.
 */
const ofStatusAlone: Way<string> = (status) => sql`status >= ${status} and status <= ${status}`;
const byStatus = sql`status desc, id desc`;

const unawaitedReason = sql<string | null>`case when status = 'OPENING' then "unawaitedReason" end`;

const overdue: Way<NonNullable<Filter['overdue']>> = () => isLate;

/** Alarms are few: their plans are looked up by them, not the alarms by all plans. */
const alarming: Way<NonNullable<Filter['alarming']>> = () =>
  sql`id = any(array(select p.id from ${standingAlarms}))`;

/** Rows of a page as they are at a moment: alarms and voids are looked up for them only, not for those that are jumped over. */
const shown = compiledOnce((db, page: RowsOf<'draw_plan'>, order: Order, now: RawBuilder<Date>) =>
  db
    .selectFrom(page.as('draw_plan'))
    .select(['id', 'gameId', 'phase', asMoment('startTime').as('startTime')])
    .select([asMoment('endTime').as('endTime'), 'status', 'commitment'])
    .select([isLate.as('late'), alarm.as('alarm'), voidReason.as('voidReason')])
    .select(unawaitedReason.as('unawaitedReason'))
    .select(takesBets(now).as('takesBets'))
    .orderBy(order),
);

/** A page of plans as they are now, the newest first, and how many match in all. */
export async function pageDrawPlans(db: Db, now: Date, filter: Filter) {
  const { gameId, status, startTimeRange: range, sort } = filter;
  const ofStatus = status !== undefined && gameId === undefined;
  const asked = {
    // The plans of one phase (one a game), the overdue ones, or those with an alarm.
    few: asking(filter, { phase: equals, overdue, alarming }),
    kinds: asking(filter, { gameId: equals, status: ofStatus ? ofStatusAlone : equals }),
    keys: await gameKeys(db, filter, drawPlanFilters.status.options),
    range,
    // Those of one game and status may begin behind a day of others.
    scattered: gameId !== undefined && status !== undefined,
  };
  const order = ofStatus && !asked.few && sort === undefined ? byStatus : undefined;
  return writtenPage(db, list, asked, filter, (condition, start) =>
    shown(
      db,
      cut('draw_plan', condition, start, order && { order }),
      orderBy(start.sort, 'draw_plan'),
      sql`${now}`,
    ),
  );
}

/** A stretch of time in epoch seconds, its end left out. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const startsIn = ({ from, to }: Window): RawBuilder<SqlBool> =>
  sql<SqlBool>`"startTime" >= to_timestamp(${from}) and "startTime" < to_timestamp(${to})`;

/**
 * The same as `status = 'WAITTING'`, but no condition that the index of waiting plans serves: in an evening that has just
 * planned a hundred games the database still believes that few plans wait, and would look through all of them for one game's.
 */
const isWaiting = sql<SqlBool>`status || '' = 'WAITTING'`;

/** What became of plans that were to go: those whose betting has begun stay. */
export interface Cleared {
  readonly removed: number;
  readonly stayed: number;
}

/**
 * Deletes a game's WAITTING plans, of a window or all but a window's, but for those whose betting has begun, and tells how many. Due ones
 * are to be opened before.
 */
export async function deleteWaiting(
  db: Db,
  { gameId, now }: { gameId: number; now: Date },
  { within: inside, except }: { within?: Window; except?: Window } = {},
): Promise<Cleared> {
  const which = [
    ...[sql<SqlBool>`"gameId" = ${gameId}`, isWaiting],
    ...(inside ? [startsIn(inside)] : []),
    ...(except ? [sql<SqlBool>`not (${startsIn(except)})`] : []),
  ];
  const all = sql.join(which, sql` and `);
  // Only what has begun can stand: nothing else needs to be looked at closely.
  const begun = sql<SqlBool>`("startTime" <= ${now}::timestamptz and plan_stands(draw_plan, ${now}::timestamptz))`;
  const { numAffectedRows } = await sql`delete from draw_plan where ${all} and not ${begun}`.execute(db);
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from draw_plan where ${all} and ${begun}`.execute(db);
  return { removed: Number(numAffectedRows ?? 0), stayed: rows[0]?.n ?? 0 };
}
