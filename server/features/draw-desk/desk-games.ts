import { sql } from 'kysely';
import type { DeskGame } from '#contract/draw-desk.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';

const MOST_GAMES = 500;
const LAST = 5;

type Found = Omit<DeskGame, 'last' | 'sources'>;

/**
 * The games that are on, each with the phase that is open. Of each game the plan that began last is looked up by its index and no other, so
 * that a game at rest costs no walk through its past.
 */
export async function readGames(db: Db, now: Date): Promise<Found[]> {
  const at = sql`${now}::timestamptz`;
  const text = (moment: ReturnType<typeof sql>) => sql`to_char(${moment}, 'YYYY-MM-DD HH24:MI:SS')`;
  const left = (moment: ReturnType<typeof sql>) => sql`ceil(extract(epoch from ${moment} - ${at}))::int`;
  const close = sql`c.closes`;
  const { rows } = await sql<Found>`
    select g.id as "gameId", g.name as "gameName", g."betStatus",
      case when c."endTime" > ${at} and c.status in ('WAITTING', 'OPENING') then jsonb_build_object('phase', c.phase,
        'startTime', ${text(sql`c."startTime"`)}, 'closeTime', ${text(close)}, 'endTime', ${text(sql`c."endTime"`)},
        'closesIn', ${left(close)}, 'drawsIn', ${left(sql`c."endTime"`)}, 'stake', null) end as open,
      case when n.phase is not null then jsonb_build_object('phase', n.phase, 'startTime', ${text(sql`n."startTime"`)}) end as next
    from (select * from game where status order by id limit ${sql.lit(MOST_GAMES)}) as g
      left join lateral (select phase, "startTime", "endTime", status, closes
        from draw_plan, closing_of(g.id, draw_plan.phase, g."stopBetSecond", "startTime", "endTime")
        where "gameId" = g.id and "startTime" <= ${at} order by "startTime" desc limit 1) as c on true
      left join lateral (select phase, "startTime" from draw_plan
        where "gameId" = g.id and "startTime" > ${at} and status = 'WAITTING' order by "startTime" limit 1) as n on true
    order by g.id`.execute(db);
  return rows;
}

/** How many games are on, of which so many are shown. */
export async function countGames(db: Db, shown: number): Promise<number> {
  if (shown < MOST_GAMES) return shown;
  const { rows } = await sql<{ n: number }>`select count(*) as n from game where status`.execute(db);
  return given(rows[0]).n;
}

/** A moment as the wire has it: the database's session is in the platform's zone. */
export async function readMoment(db: Db, now: Date): Promise<string> {
  const { rows } = await sql<{ time: string }>`select ${now}::timestamptz as time`.execute(db);
  return given(rows[0]).time;
}

/** The last results of games, the newest first. */
export async function readLast(db: Db, games: readonly number[]): Promise<Map<number, DeskGame['last']>> {
  const { rows } = await sql<{ gameId: number; last: DeskGame['last'] }>`
    select g.id as "gameId", coalesce(jsonb_agg(jsonb_build_object('phase', r.phase, 'result', r.result,
      'openTime', to_char(r."openTime", 'YYYY-MM-DD HH24:MI:SS')) order by r."openTime" desc) filter (where r.phase is not null), '[]') as last
    from unnest(${[...games]}::bigint[]) as g (id) left join lateral (
      select phase, result, "openTime" from draw_record
      where "gameId" = g.id order by "openTime" desc limit ${sql.lit(LAST)}) as r on true
    group by g.id`.execute(db);
  return new Map(rows.map(({ gameId, last }) => [gameId, last]));
}

/** How the enabled collectors of games are; games without any are left out. */
export async function readSources(db: Db): Promise<Map<number, DeskGame['sources']>> {
  const { rows } = await sql<{ gameId: number } & NonNullable<DeskGame['sources']>>`
    select "gameId", count(*) as enabled, count(*) filter (where "consecutiveFailures" > 0) as failing,
      max("lastSuccessTime") as "lastSuccessTime",
      left((array_agg("lastError" order by "consecutiveFailures" desc) filter (where "consecutiveFailures" > 0))[1], 200) as "lastError"
    from spider where enabled group by "gameId"`.execute(db);
  return new Map(rows.map(({ gameId, ...sources }) => [gameId, sources]));
}

/** What is staked on the open phases of games; both what is folded and what is not yet. */
export async function readStakes(db: Db, games: readonly Found[]): Promise<Map<number, string>> {
  const open = games.flatMap(({ gameId, open }) => (open ? [{ gameId, phase: open.phase }] : []));
  const { rows } = await sql<{ gameId: number; stake: string }>`
    with o as materialized (
      select * from unnest(${open.map(({ gameId }) => gameId)}::bigint[], ${open.map(({ phase }) => phase)}::text[]) as o ("gameId", phase))
    select o."gameId", as_money(coalesce(e.stake, 0) + coalesce(d.stake, 0)) as stake from o
      left join lateral (select sum(stake) as stake from exposure e where e."gameId" = o."gameId" and e.phase = o.phase) as e on true
      left join lateral (select sum(stake) as stake from exposure_delta d where d."gameId" = o."gameId" and d.phase = o.phase) as d on true`.execute(
    db,
  );
  return new Map(rows.map(({ gameId, stake }) => [gameId, stake]));
}
