import { sql } from 'kysely';
import type { TurnoverRequirement } from '#contract/turnover-requirements.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { amountOf, amountText } from '../rebates/exact.ts';
import { type CountedLine, keptOf, lineColumns } from '../rebates/turnover.ts';
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

/** The player's lines that won or lost, in every phase that they bet on since a moment, in the order in which they were placed. */
async function linesSince(db: Db, userId: number, since: number): Promise<CountedLine[]> {
  const { rows } = await sql<CountedLine>`
    with phase as materialized (
      select distinct "gameId", phase from slip where "userId" = ${userId} and "createTime" >= to_timestamp(${since}::float8))
    select ${lineColumns} from phase p join slip s on s."gameId" = p."gameId" and s.phase = p.phase and s."userId" = ${userId}
      join slip_line l on l."slipId" = s.id
    where l.status in ('WON', 'LOST') order by s.id, l.id`.execute(db);
  return rows;
}

/** What a player has still to turn over before a withdrawal, requirement by requirement, the oldest first. */
export async function openRequirements(db: Db, userId: number): Promise<TurnoverRequirement[]> {
  const open = await openOnes(db, userId);
  const [oldest] = open;
  if (!oldest) return [];
  const lines = await linesSince(db, userId, oldest.since);
  const kept = await keptOf(db, lines, await readParam(db, 'rebate.opposing'));
  const played = playedFor(
    open.map(({ since, required }) => ({ since, required: amountOf(required) })),
    lines.map(({ placed }, place) => ({ placed, turnover: kept[place] ?? 0n })),
  );
  return open.map(({ since: _, ...each }, place) => {
    const own = played[place] ?? 0n;
    return { ...each, played: amountText(own), rest: amountText(amountOf(each.required) - own) };
  });
}

/** What a player has still to turn over in all. */
export async function turnoverRest(db: Db, userId: number): Promise<string> {
  const open = await openRequirements(db, userId);
  return amountText(open.reduce((sum, { rest }) => sum + amountOf(rest), 0n));
}

/** What a withdrawal is refused with while any of these is not met. */
function refusalFor(open: readonly TurnoverRequirement[]): Refusal | undefined {
  const rest = open.reduce((sum, each) => sum + amountOf(each.rest), 0n);
  if (rest === 0n) return undefined;
  return new Refusal('turnoverMissing', { field: 'amount', values: { rest: amountText(rest) } });
}

/** What a withdrawal of this player would be refused with for what is still to be turned over. */
export const turnoverRefusal = async (db: Db, userId: number): Promise<Refusal | undefined> =>
  refusalFor(await openRequirements(db, userId));

/** Refuses a withdrawal while something is still to be turned over; what is met is done with it. */
export async function demandTurnoverPlayed(tx: Db, userId: number): Promise<void> {
  const open = await openRequirements(tx, userId);
  if (open.length === 0) return;
  const refusal = refusalFor(open);
  if (refusal) throw refusal;
  await sql`
    update turnover_requirement set "doneTime" = clock_timestamp() where id = any(${open.map(({ id }) => id)}::bigint[])`.execute(
    tx,
  );
}
