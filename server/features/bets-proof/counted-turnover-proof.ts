import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { amountText, tenThousandths } from './line.ts';
import { inOneSnapshot } from './one-snapshot.ts';
import { readPlayedRules } from './rebate-rows.ts';
import { everyTies, type PlayedLine, playedTurnover, turnoverKey } from './turnover-proof.ts';

const PLAYERS_AT_ONCE = 50;

/** Phases of which every settlement was counted by now. */
const isCounted = sql`
  exists (select from settlement t where t."gameId" = p."gameId" and t.phase = p.phase)
  and not exists (
    select from settlement t, turnover_mark m where t."gameId" = p."gameId" and t.phase = p.phase
      and (t."endTime" is null or (t."endTime", t.id) > (m."endTime", m."settlementId")))`;

async function nextPlayers(tx: Db, after: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    select distinct "userId" from turnover_requirement where "doneTime" is null and "userId" > ${after}
    order by 1 limit ${PLAYERS_AT_ONCE}`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** A line that was counted; `isKept` where the way that opposing lines were counted by must be kept with it. */
interface CountedLine extends PlayedLine {
  readonly isKept: boolean;
}

/** Lines of players in phases they bet on since they have something to turn over; `chain` names the requirement and the phase. */
async function readPlayedSince(tx: Db, users: readonly number[]): Promise<CountedLine[]> {
  const { rows } = await sql<CountedLine>`
    with since as (
      select "userId", min("createTime") as start from turnover_requirement
      where "doneTime" is null and "userId" = any(${[...users]}::bigint[]) group by 1
    ), p as materialized (
      select distinct s."userId", s."gameId", s.phase from since join slip s on s."userId" = since."userId" and s."createTime" >= since.start
    )
    select s."userId", s."gameId", s.phase, l."rulesId", l.selection, l."unitStake", l.stake, l.refund, coalesce((
      select max(r.id) from turnover_requirement r
      where r."userId" = s."userId" and r."doneTime" is null and r."createTime" <= s."createTime"), 0) || ' ' || s.phase as chain, exists (
      select from settlement t, turnover_mark m where t."gameId" = p."gameId" and t.phase = p.phase and t."endTime" > m."waysSince") as "isKept"
    from p join slip s using ("userId", "gameId", phase) join slip_line l on l."slipId" = s.id
    where ${isCounted} and l.status in ('WON', 'LOST') order by s.id, l.id`.execute(tx);
  return rows;
}

/** What was counted, and by which way of counting opposing lines; null where nobody kept it. */
interface Counted {
  readonly turnover: bigint;
  readonly opposing: string | null;
}

async function readCounted(tx: Db, users: readonly number[]): Promise<Map<string, Counted>> {
  const { rows } = await sql<{
    userId: number;
    gameId: number;
    chain: string;
    turnover: string;
    opposing: string | null;
  }>`
    select r."userId", p."gameId", r.id || ' ' || p.phase as chain, p.turnover, p.opposing
    from turnover_counted p join turnover_requirement r on r.id = p."requirementId"
    where r."userId" = any(${[...users]}::bigint[]) and r."doneTime" is null and ${isCounted}`.execute(tx);
  return new Map(
    rows.map(({ userId, gameId, chain, turnover, opposing }) => [
      turnoverKey(userId, gameId, chain),
      { turnover: tenThousandths(turnover), opposing },
    ]),
  );
}

const ways = ['BOTH', 'DIFFERENCE'];

/** What some of the counted turnover should be instead: what it comes to by the way that was in force, or by any where nobody kept it. */
function wantedInstead(
  counted: Counted | undefined,
  isKept: boolean,
  byWay: readonly (readonly [way: string, amount: bigint])[],
): bigint[] {
  const isKnown = typeof counted?.opposing === 'string';
  const wanted = byWay.filter(([way]) => !isKnown || way === counted.opposing).map(([, amount]) => amount);
  const isMissing = isKept && !isKnown && wanted.some((amount) => amount !== 0n);
  return !isMissing && wanted.includes(counted?.turnover ?? 0n) ? [] : [...new Set(wanted)];
}

/** Where what was counted of these players is not what their lines come to, as a transaction sees it. */
async function problemsOfPlayers(tx: Db, users: readonly number[]): Promise<string[]> {
  const lines = await readPlayedSince(tx, users);
  const rules = await readPlayedRules(tx, [...new Set(lines.map(({ rulesId }) => rulesId))]);
  const counted = await readCounted(tx, users);
  const sums = ways.flatMap((way) =>
    everyTies.map((ties) => [way, playedTurnover(lines, rules, way, ties)] as const),
  );
  const kept = new Set(
    lines.flatMap(({ userId, gameId, chain, isKept }) =>
      isKept ? [turnoverKey(userId, gameId, chain)] : [],
    ),
  );
  const keys = new Set([...counted.keys(), ...(sums[0]?.[1].keys() ?? [])]);
  return [...keys].flatMap((key) => {
    const [userId, gameId, requirement, ...phase] = key.split(' ');
    const byWay = sums.map(([way, all]) => [way, all.get(key) ?? 0n] as const);
    const wanted = wantedInstead(counted.get(key), kept.has(key), byWay);
    if (requirement === '0' || wanted.length === 0) return [];
    const amounts = wanted.map(amountText).join(' 或 ');
    const is = counted.has(key) ? `记为 ${amountText(counted.get(key)?.turnover ?? 0n)}` : '没有记录';
    return `用户 ${userId} 流水要求 ${requirement} 在游戏 ${gameId} 期号 ${phase.join(' ')} 的有效投注应为 ${amounts}，${is}`;
  });
}

/** Where turnover that was counted for what players have still to turn over is not what their lines come to, some players in one snapshot. */
export async function problemsOfCountedTurnover(db: Db): Promise<string[]> {
  const problems: string[] = [];
  const playersAfter = (after: number) => inOneSnapshot(db, (tx) => nextPlayers(tx, after));
  for (let users = await playersAfter(0); users.length > 0; ) {
    const some = users;
    problems.push(...(await inOneSnapshot(db, (tx) => problemsOfPlayers(tx, some))));
    users = await playersAfter(some.at(-1) ?? 0);
  }
  return problems;
}
