import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageReport, ReportGroup } from '#contract/reports.ts';

/** What is asked of the report, but for the page of it. */
export type ReportFilter = Omit<Input<typeof pageReport>, 'groupBy' | 'sort' | 'currentPage' | 'pageSize'>;
/** What rows are of; ALL makes one of everything. */
export type Grouping = ReportGroup | 'ALL';

const keys: Readonly<Record<Grouping, RawBuilder<string>>> = {
  ALL: sql`''`,
  DAY: sql`day::text`,
  GAME: sql`greatest("gameId", 0)::text`,
  PLAY_WAY: sql`greatest("playWayId", 0)::text`,
  USER: sql`"userId"::text`,
  AGENT: sql`greatest("agentId", 0)::text`,
};

const and = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** The first and last day asked for. Days have these for ends, and `before` of whoever never came is earlier. */
const endsOf = ({ range }: ReportFilter) => range ?? (['0001-01-01', '9999-12-31'] as const);

/** What holds for any table that has days, games and play ways. */
function ofFilter(filter: ReportFilter): RawBuilder<SqlBool>[] {
  const [from, to] = endsOf(filter);
  return [
    sql`day between ${from}::date and ${to}::date`,
    ...(filter.gameId === undefined ? [] : [sql<SqlBool>`"gameId" = ${filter.gameId}`]),
    ...(filter.playWayId === undefined ? [] : [sql<SqlBool>`"playWayId" = ${filter.playWayId}`]),
  ];
}

/** And for those that tell of each player. */
const ofPlayer = (filter: ReportFilter): RawBuilder<SqlBool>[] => [
  ...ofFilter(filter),
  ...(filter.userId === undefined ? [] : [sql<SqlBool>`"userId" = ${filter.userId}`]),
  ...(filter.agentId === undefined ? [] : [sql<SqlBool>`${filter.agentId} = any(agents)`]),
];

/** How finely games have to be told apart: not at all (0), by game (1), by play way (2). */
function levelOf(by: Grouping, { gameId, playWayId }: ReportFilter): 0 | 1 | 2 {
  if (by === 'PLAY_WAY' || playWayId !== undefined) return 2;
  return by === 'GAME' || gameId !== undefined ? 1 : 0;
}

/** What is not folded yet, of what is asked for; every statement begins with it. */
export const live = (filter: ReportFilter) =>
  sql`live as materialized (select * from report_delta where ${and(ofPlayer(filter))})`;

const sums = sql`stake, payout, refund, rebate, "writtenOff", unsettled`;
const summed = sql`sum(slips)::bigint as slips, sum(stake) as stake, sum(payout) as payout, sum(refund) as refund, sum(rebate) as rebate,
  sum("writtenOff") as "writtenOff", sum(unsettled) as unsettled`;

/** A row for each of its agents, where rows are of agents. */
const spread = (by: Grouping) => (by === 'AGENT' ? sql`, unnest(agents) as a ("agentId")` : sql``);
/** Of an agent's players the agent and who stands below: what those above have besides is not asked for, and a part of it would say less than it seems. */
function someAgent(by: Grouping, { agentId }: ReportFilter): RawBuilder<SqlBool> {
  if (by !== 'AGENT') return sql`true`;
  const some = sql<SqlBool>`"agentId" <> 0`;
  if (agentId === undefined) return some;
  return sql`${some} and array_position(agents, "agentId") <= array_position(agents, ${agentId}::bigint)`;
}

const liveParts = (by: Grouping, filter: ReportFilter, level: number) => sql`
  select ${keys[by]} as key, "userId", ${level === 2 ? sql`"waySlips"` : sql`slips`} as slips, ${sums}
  from live ${spread(by)} where ${someAgent(by, filter)}`;

/** By the counters of each player: exact whatever is combined, as long as the players are not too many to look at. */
const byPlayers = (by: Grouping, filter: ReportFilter): RawBuilder<unknown> => {
  const level = levelOf(by, filter);
  return sql`
    select key, count(distinct "userId") filter (where slips > 0) as players, ${summed} from (
      select ${keys[by]} as key, "userId", slips, ${sums} from report_player ${spread(by)}
      where level = ${level} and ${and([...ofPlayer(filter), someAgent(by, filter)])}
      union all ${liveParts(by, filter, level)}) as part
    group by key`;
};

/** Who is not folded yet, and has no counters there: on the same day where rows are of days, in the range elsewhere. */
const newcomers = (by: Grouping, filter: ReportFilter, level: number) => {
  const [from, to] = endsOf(filter);
  const slips = level === 2 ? sql`"waySlips"` : sql`slips`;
  return sql`
    select ${keys[by]} as key, count(distinct "userId") as n from (
      select * from live ${spread(by)} where ${slips} > 0 and ${someAgent(by, filter)}) as l
    where not exists (
      select from report_player p where p.level = ${level} and p."userId" = l."userId" and p.slips > 0
        and p."gameId" = ${level > 0 ? sql`l."gameId"` : sql`0`} and p."playWayId" = ${level > 1 ? sql`l."playWayId"` : sql`0`}
        and p.day ${by === 'DAY' ? sql`= l.day` : sql`between ${from}::date and ${to}::date`}
        and ${by === 'AGENT' ? sql`l."agentId"` : sql`${filter.agentId ?? 0}::bigint`} = any(p.agents))
    group by 1`;
};

/** By the counters of all players together: however many players and days, only rows that are shown are looked at. */
const bySums = (by: Grouping, filter: ReportFilter): RawBuilder<unknown> => {
  const level = levelOf(by, filter);
  const ofAgent: RawBuilder<SqlBool> =
    by === 'AGENT' ? sql`"agentId" <> 0` : sql`"agentId" = ${filter.agentId ?? 0}`;
  const found = and([sql`level = ${level}`, ofAgent, ...ofFilter(filter)]);
  const [from] = endsOf(filter);
  const folded =
    by === 'DAY'
      ? sql`select day::text as key, players as n from report_sum where ${found}`
      : sql`select ${keys[by]} as key, n from report_return where ${found} and before < ${from}::date`;
  return sql`
    select part.key, coalesce(came.n, 0)::bigint as players, ${summed}
    from (
      select ${keys[by]} as key, slips, ${sums} from report_sum where ${found}
      union all select key, slips, ${sums} from (${liveParts(by, filter, level)}) as fresh) as part
    left join (
      select key, sum(n) as n from (${folded} union all ${newcomers(by, filter, level)}) as each group by key) as came on came.key = part.key
    group by part.key, came.n`;
};

/** What is asked for by day, game, play way, player or agent. Agents under an agent are told by the players' own counters only. */
export function grouped(by: Grouping, filter: ReportFilter): RawBuilder<unknown> {
  const isOfPlayers =
    by === 'USER' || filter.userId !== undefined || (by === 'AGENT' && filter.agentId !== undefined);
  return isOfPlayers ? byPlayers(by, filter) : bySums(by, filter);
}
