import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import {
  endAlarms,
  type FailedPhase,
  isNotSetAside,
  phasesOf,
  setAside,
  togetherOrAlone,
} from './draw-alarms.ts';
import { type DrawOptions, drawMistake, drawOptionsOf, rulesAt } from './draw-rules.ts';
import { giveUpSoon, newPromise } from './promise.ts';

/** Plans promised in one transaction at most. */
export const PROMISES_AT_ONCE = 200;
/** Of one game at most, so that one that was away for long leaves room for the others. */
const MOST_OF_A_GAME = 60;
/** One slot ahead, but long enough for another server to step in, and no longer than an outage is worth. */
const LEAST_AHEAD = '10 seconds';
const MOST_AHEAD = '10 minutes';

/**
 * Whether a plan (as `p`) of a game that draws by itself (as `l`) promises nothing yet, and may: nobody could bet on it before
 * the game drew by itself, not even on another plan of its phase.
 */
const isWanting = (now: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  p."gameId" = l."gameId" and p.commitment is null and p.status <> 'OPENED' and p."startTime" >= l.since
  and not exists (select from unpromised_phase u where u."gameId" = p."gameId" and u.phase = p.phase)
  and ${isNotSetAside(now)}`;
/** From when on a plan is to be promised: one of its own slots before its betting opens. */
const PROMISE_TIME = sql`p."startTime"
  - least(greatest(p."endTime" - p."startTime", ${LEAST_AHEAD}::interval), ${MOST_AHEAD}::interval)`;
/** Whether that has come. The first condition is the index's. */
const isNext = (now: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  p."startTime" <= ${now}::timestamptz + ${MOST_AHEAD}::interval and ${PROMISE_TIME} <= ${now}::timestamptz`;

type Games = ReadonlyMap<number, DrawOptions>;

/** The games that draw by themselves, with the first plan (as `p`) of each that promises nothing yet. */
const firstOfEach = (now: Date): RawBuilder<unknown> => sql`
  (select distinct on ("gameId") "gameId", options from spider
    where enabled and "spiderServiceName" = 'LocalDrawSpider' order by "gameId", id) as s
  join local_game l on l."gameId" = s."gameId" cross join lateral (
    select p."startTime", p."endTime" from draw_plan p where ${isWanting(now)} order by p."startTime" limit 1) as p`;

/** When the next plan is to be promised, in epoch milliseconds; nothing when none is left. A game that is new is seen at once. */
export async function nextPromise(db: Db, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null; isNew: boolean }>`
    select (extract(epoch from min(${PROMISE_TIME})) * 1000)::float8 as at,
      exists (select from local_game where since is null) as "isNew" from ${firstOfEach(now)}`.execute(db);
  return rows[0]?.isNew ? now.getTime() : (rows[0]?.at ?? undefined);
}

interface ToPromise {
  readonly games: Games;
  /** Games that would not be drawn as their rule says, and why not: odds are judged by that rule. */
  readonly unfit: ReadonlyMap<number, string>;
}

/**
 * Games whose next plan is to be promised, with the rules they draw by. From now on is when a game that was not seen as one
 * that draws by itself before is sure to take no bets without a promise.
 */
async function gamesToPromise(db: Db, now: Date): Promise<ToPromise> {
  const { rows } = await sql<{ gameId: number; options: string | null; resultRule: ResultRule | null }>`
    with seen as (update local_game set since = clock_timestamp() where since is null)
    select s."gameId", s.options, g."resultRule" from ${firstOfEach(now)} join game g on g.id = s."gameId"
    where ${isNext(now)}`.execute(db);
  const games = new Map<number, DrawOptions>();
  const unfit = new Map<number, string>();
  for (const { gameId, options, resultRule } of rows) {
    const rules = drawOptionsOf(options);
    const mistake = rules ? drawMistake(rules, resultRule) : '采集选项不能用于本地开奖';
    if (mistake) unfit.set(gameId, mistake);
    else if (rules) games.set(gameId, rules);
  }
  return { games, unfit };
}

/** The next plans of these games that promise nothing yet, the first to open first. */
const nextOf = (games: ReadonlyMap<number, unknown>, now: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  p.id in (
    select n.id from local_game l cross join lateral (
      select p.id from draw_plan p where ${isWanting(now)} and ${isNext(now)}
      order by p."startTime" limit ${MOST_OF_A_GAME}) as n
    where l."gameId" = any(${[...games.keys()]}::bigint[]))`;

/** Promises the plans that answer to a condition, many games in one transaction; others' rows are left to them. */
const promiseWhich = (
  db: Db,
  vault: Vault,
  now: Date,
  games: Games,
  which: RawBuilder<SqlBool>,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await giveUpSoon(tx);
    const { rows: plans } = await sql<{ id: number; gameId: number; phase: string; drawTime: number }>`
      select p.id, p."gameId", p.phase, extract(epoch from p."endTime")::float8 as "drawTime" from draw_plan p join local_game l on l."gameId" = p."gameId"
      where ${which} and p.commitment is null and p."startTime" >= l.since order by p."startTime" limit ${PROMISES_AT_ONCE}
      for update of p skip locked for share of l skip locked`.execute(tx);
    const promises = plans.flatMap(({ gameId, phase, drawTime }) => {
      const options = games.get(gameId);
      return options ? [newPromise(vault, gameId, phase, rulesAt(options, drawTime))] : [];
    });
    if (promises.length === 0) return 0;
    // A phase that was promised before keeps its promise, whatever became of its plan since.
    await sql`
      insert into draw_commitment ("gameId", phase, rules, commitment, seed, "createTime")
      select "gameId", phase, rules::jsonb, commitment, decode(seed, 'hex'), ${now}::timestamptz
      from unnest(${promises.map(({ gameId }) => gameId)}::bigint[], ${promises.map(({ phase }) => phase)}::text[],
        ${promises.map(({ rules }) => JSON.stringify(rules))}::text[],
        ${promises.map(({ commitment }) => commitment)}::text[],
        ${promises.map(({ seed }) => seed.toString('hex'))}::text[]) as p ("gameId", phase, rules, commitment, seed)
      on conflict do nothing`.execute(tx);
    const ids = plans.map(({ id }) => id);
    await sql`
      update draw_plan p set commitment = c.commitment from draw_commitment c
      where p.id = any(${ids}) and c."gameId" = p."gameId" and c.phase = p.phase`.execute(tx);
    await endAlarms(tx, ids);
    return plans.length;
  });

/** Raises an alarm for each next plan that is not promised, since it would not be drawn as its game's rule says. */
async function refuseUnfit(db: Db, unfit: ToPromise['unfit'], now: Date): Promise<FailedPhase[]> {
  if (unfit.size === 0) return [];
  const phases = await phasesOf(db, nextOf(unfit, now), PROMISES_AT_ONCE);
  const failed = phases.map(({ gameId, phase }) => ({
    gameId,
    phase,
    reason: `没有承诺开奖：${unfit.get(gameId)}`,
  }));
  await setAside(db, failed, now);
  return failed;
}

/**
 * Promises the results of the next plans of games that draw by themselves, as late as betting allows: one slot before it
 * opens. Tells how many were promised and which could not be.
 */
export async function promisePlans(
  db: Db,
  vault: Vault,
  now: Date,
): Promise<{ count: number; failed: FailedPhase[] }> {
  const { games, unfit } = await gamesToPromise(db, now);
  const refused = await refuseUnfit(db, unfit, now);
  if (games.size === 0) return { count: 0, failed: refused };
  const next = nextOf(games, now);
  const { done, failed } = await togetherOrAlone(db, now, {
    together: () => promiseWhich(db, vault, now, games, next),
    due: () => phasesOf(db, next, PROMISES_AT_ONCE),
    alone: (id) => promiseWhich(db, vault, now, games, sql<SqlBool>`p.id = ${id}`),
  });
  return { count: done.reduce((sum, count) => sum + count, 0), failed: [...refused, ...failed] };
}
