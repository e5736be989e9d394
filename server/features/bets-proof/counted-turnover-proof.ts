import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { amountOf, tenThousandths } from './line.ts';
import { readPlayedRules } from './rebate-rows.ts';
import { type PlayedLine, playedTurnover, turnoverKey } from './turnover-proof.ts';

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

/** Lines of players in phases they bet on since they have something to turn over; `chain` names the requirement and the phase. */
async function readPlayedSince(tx: Db, users: readonly number[]): Promise<PlayedLine[]> {
  const { rows } = await sql<PlayedLine>`
    with since as (
      select "userId", min("createTime") as start from turnover_requirement
      where "doneTime" is null and "userId" = any(${[...users]}::bigint[]) group by 1
    ), p as materialized (
      select distinct s."userId", s."gameId", s.phase from since join slip s on s."userId" = since."userId" and s."createTime" >= since.start
    )
    select s."userId", s."gameId", s.phase, l."rulesId", l.selection, l."unitStake", l.stake, l.refund, coalesce((
      select max(r.id) from turnover_requirement r
      where r."userId" = s."userId" and r."doneTime" is null and r."createTime" <= s."createTime"), 0) || ' ' || s.phase as chain
    from p join slip s using ("userId", "gameId", phase) join slip_line l on l."slipId" = s.id
    where ${isCounted} and l.status in ('WON', 'LOST') order by s.id, l.id`.execute(tx);
  return rows;
}

async function readCounted(tx: Db, users: readonly number[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ userId: number; gameId: number; chain: string; turnover: string }>`
    select r."userId", p."gameId", r.id || ' ' || p.phase as chain, p.turnover
    from turnover_counted p join turnover_requirement r on r.id = p."requirementId"
    where r."userId" = any(${[...users]}::bigint[]) and r."doneTime" is null and ${isCounted}`.execute(tx);
  return new Map(
    rows.map(({ userId, gameId, chain, turnover }) => [
      turnoverKey(userId, gameId, chain),
      tenThousandths(turnover),
    ]),
  );
}

/** Where what was counted of these players is not what their lines come to, as a transaction sees it. */
async function problemsOfPlayers(tx: Db, users: readonly number[]): Promise<string[]> {
  const lines = await readPlayedSince(tx, users);
  const rules = await readPlayedRules(tx, [...new Set(lines.map(({ rulesId }) => rulesId))]);
  const counted = await readCounted(tx, users);
  // Opposing lines went by the parameter of when the phase was counted, which nobody kept.
  const [both, difference] = ['BOTH', 'DIFFERENCE'].map((opposing) => playedTurnover(lines, rules, opposing));
  const keys = new Set([...counted.keys(), ...(both?.keys() ?? [])]);
  return [...keys].flatMap((key) => {
    const [userId, gameId, requirement, ...phase] = key.split(' ');
    const is = counted.get(key) ?? 0n;
    const wanted = [...new Set([both, difference].map((sums) => sums?.get(key) ?? 0n))];
    if (requirement === '0' || wanted.includes(is)) return [];
    const amounts = wanted.map(amountOf).join(' 或 ');
    return `用户 ${userId} 流水要求 ${requirement} 在游戏 ${gameId} 期号 ${phase.join(' ')} 的打码量应为 ${amounts}，记为 ${amountOf(is)}`;
  });
}

/** Where turnover that was counted for what players have still to turn over is not what their lines come to, some players in one snapshot. */
export async function problemsOfCountedTurnover(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (let users = await nextPlayers(db, 0); users.length > 0; ) {
    const some = users;
    problems.push(
      ...(await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => problemsOfPlayers(tx, some))),
    );
    users = await nextPlayers(db, some.at(-1) ?? 0);
  }
  return problems;
}
