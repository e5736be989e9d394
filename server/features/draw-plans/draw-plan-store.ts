import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DrawPlan, pageDrawPlans as pageOfPlans } from '#contract/draw-plans.ts';
import type { Input } from '#contract/endpoint.ts';
import { type CountedList, type CountedPart, locate } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { countedPage, type Paging, pageOfFew, type Start } from '#server/db/page.ts';
import { within } from '#server/db/search.ts';
import { takesBets } from './takes-bets.ts';

const statuses = ['WAITTING', 'OPENING', 'OPENED', 'VOID'] as const;

type Filter = Input<typeof pageOfPlans>;

const list: CountedList = {
  table: 'draw_plan',
  time: 'startTime',
  // Keys are always all statuses asked for of all games asked for; so said, the indexes of a game's plans serve.
  ofKeys: (keys) => {
    if (!keys) return sql`true`;
    const [games = [], found] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split('/')[part]))]);
    // Of one game said as such: a plan made for lists of any length would rather look through all games' plans of a time.
    const ofGames =
      games.length === 1 ? sql`"gameId" = ${games[0]}` : sql`"gameId" = any(${games}::bigint[])`;
    return sql`${ofGames} and status = any(${found}::text[])`;
  },
};

type Conditions = readonly RawBuilder<SqlBool>[];

/**
 * A status alone is said as a range and sorted by, which only the index of status and id serves: plans that wait are the
 * newest, and those of another status would be looked for behind all of them.
 */
const isOf = (status: string, gameId: number | undefined): RawBuilder<SqlBool> =>
  gameId === undefined
    ? sql<SqlBool>`status >= ${status} and status <= ${status}`
    : sql<SqlBool>`status = ${status}`;

interface Reading extends Start {
  readonly now: Date;
  readonly byStatus?: boolean;
}

const late = sql<boolean>`"lateTime" is not null and status = 'OPENING'`;
const alarm = sql<string | null>`case when status in ('WAITTING', 'OPENING') then (
  select a.reason from draw_alarm a where a."gameId" = draw_plan."gameId" and a.phase = draw_plan.phase) end`;
const voidReason = sql<string | null>`case when status = 'VOID' then (
  select v.reason from draw_void v where v."gameId" = draw_plan."gameId" and v.phase = draw_plan.phase) end`;

function read(db: Db, conditions: Conditions, { bound, since, skip, limit, sort, now, byStatus }: Reading) {
  let page = db
    .selectFrom('draw_plan')
    .selectAll()
    .$if(byStatus === true && sort === undefined, (sorted) => sorted.orderBy('status', 'desc'))
    .orderBy(orderBy(sort))
    .limit(limit)
    .offset(skip);
  for (const condition of [...conditions, ...(since ? [since] : [])]) page = page.where(condition);
  if (bound !== undefined) page = page.where('id', '<=', bound);
  // Alarms and voids are looked up for the rows of the page only, not for those that are jumped over.
  return db
    .selectFrom(page.as('draw_plan'))
    .select(['id', 'gameId', 'phase', 'startTime', 'endTime', 'status', 'commitment'])
    .select([late.as('late'), alarm.as('alarm'), voidReason.as('voidReason'), takesBets(now).as('takesBets')])
    .orderBy(orderBy(sort));
}

/** Plans are counted by game and status together; nothing when neither was asked for. */
async function keysOf(db: Db, { gameId, status }: Filter): Promise<string[] | undefined> {
  if (gameId === undefined && status === undefined) return undefined;
  const games = gameId === undefined ? await db.selectFrom('game').select('id').execute() : [{ id: gameId }];
  return games.flatMap(({ id }) => (status ? [status] : statuses).map((each) => `${id}/${each}`));
}

/** A page of plans as they are now, the newest first, and how many match in all. */
export async function pageDrawPlans(db: Db, now: Date, filter: Filter) {
  const { gameId, phase, status, startTimeRange: range } = filter;
  const kinds: Conditions = [
    ...(gameId === undefined ? [] : [sql<SqlBool>`"gameId" = ${gameId}`]),
    ...(status === undefined ? [] : [isOf(status, gameId)]),
  ];
  const times = range ? [sql<SqlBool>`${within('startTime', range)}`] : [];
  const few: Conditions = [
    ...(phase === undefined ? [] : [sql<SqlBool>`phase = ${phase}`]),
    ...(filter.overdue ? [sql<SqlBool>`status = 'OPENING' and "lateTime" is not null`] : []),
  ];
  const all = [...kinds, ...times, ...few];
  // The plans of one phase (one a game), or the overdue ones.
  if (few.length > 0)
    return pageOfFew(db, list.table, all, filter, (start) => read(db, all, { ...start, now }));
  const part = { keys: await keysOf(db, filter), range };
  if (gameId !== undefined && status !== undefined && !range && !filter.sort)
    return pageOfMixed(db, part, filter, (start) => read(db, kinds, { ...start, now }));
  const byStatus = gameId === undefined && status !== undefined;
  return countedPage(db, list, part, filter, (start) =>
    read(db, [...kinds, ...times], { ...start, now, byStatus }),
  );
}

/** Of one game and status even the first page is looked up: it may lie behind a day of others. */
async function pageOfMixed(
  db: Db,
  part: CountedPart,
  { currentPage, pageSize }: Paging,
  readFrom: (start: Start) => ReturnType<typeof read>,
): Promise<{ totalCount: number; data: DrawPlan[] }> {
  const offset = (currentPage - 1) * pageSize;
  const { totalCount, place } = await locate(db, list, part, offset);
  if (!place) return { totalCount, data: [] };
  const limit = Math.min(pageSize, totalCount - offset);
  return { totalCount, data: await readFrom({ ...place, limit }).execute() };
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
