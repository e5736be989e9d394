import { sql } from 'kysely';
import { moneyText } from '#contract/money-text.ts';
import type { TurnoverRequirement } from '#contract/turnover-requirements.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import { linesOfPhases, turnoverOf } from './count-turnover.ts';
import { playedFor } from './progress.ts';

/** Requires turnover for what this transaction posted into the ledger: deposits and gifts, as often as the parameters say. */
export async function requireTurnover(tx: Db, historyIds: readonly number[]): Promise<void> {
  const deposit = await readParam(tx, 'turnover.depositTimes');
  const gift = await readParam(tx, 'turnover.giftTimes');
  await sql`
    insert into turnover_requirement ("userId", "historyId", kind, amount, times, required, "createTime")
    select h."userId", h.id, h."changeType", h.amount, t.times, as_money(h.amount * t.times), clock_timestamp()
    from account_history h join (values ('RECHARGE', ${deposit}::numeric), ('RECHARGE_GIVE', ${gift}::numeric)) as t (kind, times)
      on t.kind = h."changeType"
    where h.id = any(${[...historyIds]}::bigint[]) and h."createTime" = now() and t.times > 0 order by h.id
    on conflict do nothing`.execute(tx);
}

async function openOnes(db: Db, userId: number) {
  const { rows } = await sql<Omit<TurnoverRequirement, 'played' | 'rest'> & { since: number }>`
    select id, kind, amount, times, required, "createTime", extract(epoch from "createTime")::float8 as since
    from turnover_requirement where "userId" = ${userId} and "doneTime" is null order by id`.execute(db);
  return rows;
}

interface Counted {
  /** What was counted of settled phases, by requirement. */
  readonly counted: readonly { readonly id: number; readonly turnover: string }[];
  /** Phases in which the player bet and that were settled, or settled otherwise, since. */
  readonly late: readonly { readonly gameId: number; readonly phase: string }[];
}

/** What is counted already, and what phases are not, in one look. */
async function countedOf(db: Db, userId: number, requirements: readonly number[]): Promise<Counted> {
  const { rows } = await sql<Counted>`
    with late as materialized (
      select distinct t."gameId", t.phase from turnover_mark m, settlement t
      where (t.status <> 'DONE' or t."endTime" >= m."endTime" and (t."endTime", t.id) > (m."endTime", m."settlementId"))
        and exists (select from slip s where s."gameId" = t."gameId" and s.phase = t.phase and s."userId" = ${userId})
    )
    select (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'turnover', c.turnover::text)), '[]') from (
        select "requirementId" as id, sum(turnover) as turnover from turnover_counted c
        where "requirementId" = any(${[...requirements]}::bigint[])
          and not exists (select from late l where l."gameId" = c."gameId" and l.phase = c.phase) group by 1) as c) as counted,
      (select coalesce(jsonb_agg(jsonb_build_object('gameId', "gameId", 'phase', phase)), '[]') from late) as late`.execute(
    db,
  );
  return rows[0] ?? { counted: [], late: [] };
}

/** What a player turned over while each of their open requirements was the latest. */
async function turnedOver(db: Db, userId: number, requirements: readonly number[]) {
  const { counted, late } = await countedOf(db, userId, requirements);
  const lines = late.length > 0 ? await linesOfPhases(db, [userId], late) : [];
  const sums = await turnoverOf(db, lines, await readParam(db, 'rebate.opposing'));
  for (const { id, turnover } of counted) sums.set(id, (sums.get(id) ?? 0n) + tenThousandths(turnover));
  return sums;
}

/** What a player has still to turn over before a withdrawal, requirement by requirement, the oldest first. */
export async function openRequirements(db: Db, userId: number): Promise<TurnoverRequirement[]> {
  const open = await openOnes(db, userId);
  if (open.length === 0) return [];
  const sums = await turnedOver(
    db,
    userId,
    open.map(({ id }) => id),
  );
  const played = playedFor(
    open.map(({ since, required }) => ({ since, required: tenThousandths(required) })),
    open.map(({ id, since }) => ({ placed: since, turnover: sums.get(id) ?? 0n })),
  );
  return open.map(({ since: _, ...each }, place) => {
    const own = played[place] ?? 0n;
    return { ...each, played: moneyOf(own), rest: moneyOf(tenThousandths(each.required) - own) };
  });
}

/** What a player has still to turn over in all. */
export async function turnoverRest(db: Db, userId: number): Promise<string> {
  const open = await openRequirements(db, userId);
  return moneyOf(open.reduce((sum, { rest }) => sum + tenThousandths(rest), 0n));
}

/** What a withdrawal is refused with while any of these is not met. */
function refusalFor(open: readonly TurnoverRequirement[]): Refusal | undefined {
  const rest = open.reduce((sum, each) => sum + tenThousandths(each.rest), 0n);
  if (rest === 0n) return undefined;
  return new Refusal('turnoverMissing', { field: 'amount', values: { rest: moneyText(moneyOf(rest)) } });
}

/** What a withdrawal of this player would be refused with for what is still to be turned over. */
export const turnoverRefusal = async (db: Db, userId: number): Promise<Refusal | undefined> =>
  refusalFor(await openRequirements(db, userId));

/**
 * Refuses a withdrawal while something is still to be turned over; what is met is done with it. To be called with the account held, so that
 * no deposit or gift is withdrawn that came after the look.
 */
export async function demandTurnoverPlayed(tx: Db, userId: number): Promise<void> {
  const open = await openRequirements(tx, userId);
  if (open.length === 0) return;
  const refusal = refusalFor(open);
  if (refusal) throw refusal;
  const ids = open.map(({ id }) => id);
  await sql`
    with counted as (delete from turnover_counted where "requirementId" = any(${ids}::bigint[]))
    update turnover_requirement set "doneTime" = clock_timestamp() where id = any(${ids}::bigint[])`.execute(
    tx,
  );
}
