import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { moneyOf } from '../bets/decimal.ts';
import type { Opposing } from '../rebates/opposing.ts';
import { type CountedLine, type KnownRules, keptOf, lineColumns } from '../rebates/turnover.ts';

/** A settlement's last transaction is through long before: none that ended earlier shows up afterwards. */
const SETTLED = sql`interval '1 minute'`;
const SLIPS_AT_ONCE = 20_000;
const PLAYERS_AT_ONCE = 500;

interface Ended {
  readonly id: number;
  readonly endTime: string;
  readonly gameId: number;
  readonly phase: string;
}

/**
 * Begins again at the present where the clock was set back behind the mark: settlements end before it now, and would never be counted. What
 * is counted twice is counted the same.
 */
const followClock = (tx: Db) =>
  sql`
  update turnover_mark set "endTime" = clock_timestamp() - ${SETTLED}, "settlementId" = 0 where "endTime" > clock_timestamp() - ${SETTLED}`.execute(
    tx,
  );

/** The next settlements that ended, so many that their slips can be counted at once; one however many it has. */
async function nextEnded(tx: Db): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    with mark as (select "endTime", "settlementId" from turnover_mark for update skip locked), next as (
      select t.id, t."endTime", t."gameId", t.phase, sum(t.slips) over (order by t."endTime", t.id) - t.slips as before
      from mark m, lateral (
        select * from settlement t
        where t."endTime" >= m."endTime" and (t."endTime", t.id) > (m."endTime", m."settlementId") and t."endTime" < clock_timestamp() - ${SETTLED}
        order by t."endTime", t.id limit 500) as t
    )
    select id, "endTime"::text as "endTime", "gameId", phase from next where before < ${SLIPS_AT_ONCE} order by next."endTime", id`.execute(
    tx,
  );
  return rows;
}

/** The next players with slips in a phase who have something to turn over. */
async function nextPlayers(tx: Db, { gameId, phase }: Ended, after: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    select distinct r."userId" from turnover_requirement r
    where r."doneTime" is null and r."userId" > ${after}
      and exists (select from slip s where s."gameId" = ${gameId} and s.phase = ${phase} and s."userId" = r."userId")
    order by 1 limit ${PLAYERS_AT_ONCE}`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** The lines of players in a phase that won or lost, in the order in which they were placed, each with the requirement that was the latest then. */
export async function linesOfPhases(
  db: Db,
  users: readonly number[],
  phases: readonly { readonly gameId: number; readonly phase: string }[],
): Promise<(CountedLine & { readonly requirementId: number | null })[]> {
  const { rows } = await sql<CountedLine & { requirementId: number | null }>`
    select ${lineColumns}, (
      select r.id from turnover_requirement r where r."userId" = s."userId" and r."doneTime" is null and r."createTime" <= s."createTime"
      order by r.id desc limit 1) as "requirementId"
    from unnest(${phases.map(({ gameId }) => gameId)}::bigint[], ${phases.map(({ phase }) => phase)}::text[]) as p (g, n)
      join slip s on s."gameId" = p.g and s.phase = p.n and s."userId" = any(${[...users]}::bigint[])
      join slip_line l on l."slipId" = s.id
    where l.status in ('WON', 'LOST') order by s.id, l.id`.execute(db);
  return rows;
}

/** What lines turned over, opposing ones counted one way or the other, by the requirement that was the latest when they were placed. */
export async function turnoverOf(
  db: Db,
  lines: Awaited<ReturnType<typeof linesOfPhases>>,
  opposing: Opposing,
  known?: KnownRules,
): Promise<Map<number, bigint>> {
  const kept = await keptOf(db, lines, opposing, known);
  const sums = new Map<number, bigint>();
  for (const [place, { requirementId }] of lines.entries())
    if (requirementId !== null)
      sums.set(requirementId, (sums.get(requirementId) ?? 0n) + (kept[place] ?? 0n));
  return sums;
}

/** What counting goes by from its first phase to its last. */
interface Counting {
  readonly opposing: Opposing;
  readonly known: KnownRules;
}

async function countPlayers(
  tx: Db,
  ended: Ended,
  users: readonly number[],
  { opposing, known }: Counting,
): Promise<void> {
  const { gameId, phase } = ended;
  const sums = await turnoverOf(tx, await linesOfPhases(tx, users, [ended]), opposing, known);
  await sql`
    delete from turnover_counted c using turnover_requirement r
    where r.id = c."requirementId" and r."userId" = any(${[...users]}::bigint[]) and r."doneTime" is null
      and c."gameId" = ${gameId} and c.phase = ${phase}`.execute(tx);
  await sql`
    insert into turnover_counted ("requirementId", "gameId", phase, turnover, opposing)
    select id, ${gameId}, ${phase}, as_money(turnover), ${opposing}
    from unnest(${[...sums.keys()]}::bigint[], ${[...sums.values()].map(moneyOf)}::numeric[]) as s (id, turnover)`.execute(
    tx,
  );
}

/**
 * Counts the phases of the next settlements that ended, for all players who have something to turn over. Tells whether there were any;
 * whoever comes while another counts goes away again.
 */
export const countTurnover = (db: Db): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await followClock(tx);
    const ended = await nextEnded(tx);
    const last = ended.at(-1);
    if (!last) return false;
    const counting: Counting = { opposing: await readParam(tx, 'rebate.opposing'), known: new Map() };
    const phases = new Map(ended.map((each) => [`${each.gameId} ${each.phase}`, each]));
    for (const each of phases.values())
      for (let users = await nextPlayers(tx, each, 0); users.length > 0; ) {
        await countPlayers(tx, each, users, counting);
        users = await nextPlayers(tx, each, users.at(-1) ?? 0);
      }
    await sql`update turnover_mark set "endTime" = ${last.endTime}::timestamptz, "settlementId" = ${last.id}`.execute(
      tx,
    );
    return true;
  });
