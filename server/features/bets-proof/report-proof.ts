import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inOneSnapshot } from './one-snapshot.ts';

/*
 * What the report has counted, worked out once more from lines and from what counts apart from them. Nothing of it comes from the code
 * that counts.
 */

/** Days that anything counts on. */
async function countedDays(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct day::text from (
      select distinct day from slip union select distinct day from report_entry union select distinct day from report_sum
      union select distinct day from report_delta union select day from report_closed_day) as counted order by day`.execute(
    db,
  );
  return rows.map(({ day }) => day);
}

const amounts = sql`sum(stake) as stake, sum(payout) as payout, sum(refund) as refund, sum(rebate) as rebate,
  sum("writtenOff") as "writtenOff", sum(unsettled) as unsettled`;

/** What a day comes to, line by line: `whole` of each player, by all games (level 0), game (1) and play way (2). */
const wholeOf = (day: string) => sql`
  whole as materialized (
    select s.id as slip, s."userId", s."gameId", l."playWayId",
      '{0}' || coalesce(nullif(translate(jsonb_path_query_array(s.agents, '$[*].id')::text, '[] ', '{}')::bigint[], '{}'), '{-1}') as agents,
      l.stake, l.payout - coalesce(m.payout, 0) as payout, l.refund - coalesce(m.refund, 0) as refund, 0 as rebate, 0 as "writtenOff",
      case when l.status in ('PENDING', 'HELD') then l.stake else 0 end - coalesce(m.unsettled, 0) as unsettled
    from slip s join slip_line l on l."slipId" = s.id left join lateral (
      select sum(e.payout) as payout, sum(e.refund) as refund, sum(e.unsettled) as unsettled from report_entry e
      where e."lineId" = l.id) as m on true
    where s.day = ${day}::date and not s."testAccount"
    union all
    select null, "userId", "gameId", "playWayId", agents, 0, payout, refund, rebate, "writtenOff", unsettled
    from report_entry where day = ${day}::date
  )`;

const levels = sql`lateral (values (0, 0, 0), (1, w."gameId", 0), (2, w."gameId", w."playWayId")) as l (level, game, way)`;

/** Players, games and play ways whose counters of a day are not what their lines come to. */
async function wrongPlayers(tx: Db, day: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with ${wholeOf(day)}, wanted as (
      select l.level, w."userId", l.game, l.way, w.agents, count(distinct w.slip) as slips, ${amounts}
      from whole w, ${levels} group by 1, 2, 3, 4, 5
    ), had as (
      select level, "userId", "gameId" as game, "playWayId" as way, agents, slips, stake, payout, refund, rebate, "writtenOff", unsettled
      from report_player where day = ${day}::date
      union all
      select l.level, w."userId", l.game, l.way, w.agents, case l.level when 2 then w."waySlips" else w.slips end, stake, payout, refund, rebate,
        "writtenOff", unsettled
      from report_delta w, ${levels} where w.day = ${day}::date
    )
    select concat_ws(' ', '用户', "userId", '游戏', game, '玩法', way) as what from (
      select 1 as sign, wanted.* from wanted union all select -1, had.* from had) as both_sides
    group by level, "userId", game, way, agents
    having sum(sign * slips) <> 0 or sum(sign * stake) <> 0 or sum(sign * payout) <> 0 or sum(sign * refund) <> 0
      or sum(sign * rebate) <> 0 or sum(sign * "writtenOff") <> 0 or sum(sign * unsettled) <> 0 limit 100`.execute(
    tx,
  );
  return rows.map(({ what }) => `报表 ${day} 的计数与注单不符：${what}`);
}

/** Sums of a day over all players that are not what its players come to. */
async function wrongSums(tx: Db, day: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select concat_ws(' ', '代理', "agentId", '游戏', "gameId", '玩法', "playWayId") as what from (
      select 1 as sign, level, agent as "agentId", "gameId", "playWayId", sum(slips) as slips,
        count(distinct "userId") filter (where slips > 0) as players, ${amounts}
      from report_player, unnest(agents) as agent where day = ${day}::date group by 2, 3, 4, 5
      union all
      select -1, level, "agentId", "gameId", "playWayId", slips, players, stake, payout, refund, rebate, "writtenOff", unsettled
      from report_sum where day = ${day}::date) as both_sides
    group by level, "agentId", "gameId", "playWayId"
    having sum(sign * slips) <> 0 or sum(sign * players) <> 0 or sum(sign * stake) <> 0 or sum(sign * payout) <> 0
      or sum(sign * refund) <> 0 or sum(sign * rebate) <> 0 or sum(sign * "writtenOff") <> 0 or sum(sign * unsettled) <> 0
    limit 100`.execute(tx);
  return rows.map(({ what }) => `报表 ${day} 的合计与各用户不符：${what}`);
}

/** A closed day that is no longer what it was when it was closed. */
async function changedSince(tx: Db, day: string): Promise<string[]> {
  const { rows } = await sql`
    with ${wholeOf(day)}, now as (
      select count(distinct slip) as slips, count(distinct "userId") filter (where slip is not null) as players, ${amounts} from whole
    )
    select from report_closed_day c, now n where c.day = ${day}::date and (c.slips <> n.slips or c.players <> n.players
      or (c.stake, c.payout, c.refund, c.rebate, c."writtenOff", c.unsettled) is distinct from
        (coalesce(n.stake, 0), coalesce(n.payout, 0), coalesce(n.refund, 0), coalesce(n.rebate, 0), coalesce(n."writtenOff", 0),
          coalesce(n.unsettled, 0)))`.execute(tx);
  return rows.length > 0 ? [`报表 ${day} 关账以后变了`] : [];
}

/** Whether players who came back are counted as such, over all days. */
async function wrongReturns(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ n: number }>`
    with came as (
      select distinct level, agent, "gameId", "playWayId", "userId", day from report_player, unnest(agents) as agent where slips > 0
    ), returned as (
      select level, agent as "agentId", "gameId", "playWayId", day, coalesce(
        lag(day) over (partition by level, agent, "gameId", "playWayId", "userId" order by day), '-infinity') as before
      from came
    ), both_sides as (
      select level, "agentId", "gameId", "playWayId", day, before, 1 as n from returned
      union all select level, "agentId", "gameId", "playWayId", day, before, -n from report_return
    )
    select count(*) as n from (select from both_sides group by level, "agentId", "gameId", "playWayId", day, before having sum(n) <> 0) as w`.execute(
    tx,
  );
  const n = rows[0]?.n ?? 0;
  return n > 0 ? [`报表有 ${n} 处投注人数与各用户的日期不符`] : [];
}

/** What is wrong on one day. */
const wrongOn = async (tx: Db, day: string): Promise<string[]> => [
  ...(await wrongPlayers(tx, day)),
  ...(await wrongSums(tx, day)),
  ...(await changedSince(tx, day)),
];

/** All that the report has counted wrongly, as a transaction sees it. */
export async function problemsIn(tx: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const day of await countedDays(tx)) problems.push(...(await wrongOn(tx, day)));
  return [...problems, ...(await wrongReturns(tx))];
}

/** All that the report has counted wrongly, as Chinese sentences; a day at a time, each in one snapshot, while slips are placed and settled. */
export async function proveReport(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const day of await inOneSnapshot(db, countedDays))
    problems.push(...(await inOneSnapshot(db, (tx) => wrongOn(tx, day))));
  return [...problems, ...(await inOneSnapshot(db, wrongReturns))];
}
