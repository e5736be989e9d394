import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import type { agentsOn } from './day-rates.ts';
import type { Reward } from './invites.ts';
import type { Item } from './items.ts';
import { inLots } from './lots.ts';
import type { Ways } from './run-days.ts';
import type { Share } from './shares.ts';

const AT_ONCE = 5_000;
const tables = ['rebate_item', 'rebate_share', 'rebate_agent', 'rebate_turnover', 'invite_reward'] as const;

/** Begins to work out a day's run, as if for the first time. What it sees is of the moment at which its transaction began, or later. */
export async function beginRun(tx: Db, day: Day, { opposing, ownSlips }: Ways): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where "runDay" = ${day}::date`.execute(tx);
  await sql`
    insert into rebate_run (day, "seenTime", opposing, "ownSlips") values (${day}::date, now(), ${opposing}, ${ownSlips})
    on conflict (day) do update set "seenTime" = now(), opposing = excluded.opposing, "ownSlips" = excluded."ownSlips", stale = false,
      "prepareTime" = clock_timestamp()`.execute(tx);
}

export async function keepAgents(tx: Db, day: Day, agents: Awaited<ReturnType<typeof agentsOn>>) {
  await sql`
    insert into rebate_agent ("runDay", "agentId", "userId", rate)
    select ${day}::date, r.* from unnest(${agents.map(({ id }) => id)}::bigint[], ${agents.map(({ userId }) => userId)}::bigint[],
      ${agents.map(({ rate }) => rate)}::numeric[]) as r`.execute(tx);
}

/** What runs before gave for a day, in all. */
export async function sharesBefore(tx: Db, day: Day): Promise<Share[]> {
  const { rows } = await sql<Omit<Share, 'amount'> & { amount: string }>`
    select "userId", kind, agents, as_money(sum(amount)) as amount from rebate_share
    where day = ${day}::date group by 1, 2, 3`.execute(tx);
  return rows.map((row) => ({ ...row, amount: tenThousandths(row.amount) }));
}

export async function keepShares(tx: Db, runDay: Day, day: Day, shares: readonly Share[]): Promise<void> {
  await inLots(shares, AT_ONCE, async (some) => {
    const of = <T>(value: (share: Share) => T): T[] => some.map(value);
    await sql`
      insert into rebate_share ("runDay", day, "userId", kind, agents, amount)
      select ${runDay}::date, ${day}::date, u, k, ('{' || a || '}')::bigint[], as_money(x)
      from unnest(${of(({ userId }) => userId)}::bigint[], ${of(({ kind }) => kind)}::text[], ${of(({ agents }) => agents.join())}::text[],
        ${of(({ amount }) => moneyOf(amount))}::numeric[]) as r (u, k, a, x)`.execute(tx);
  });
}

export async function keepRewards(tx: Db, day: Day, rewards: readonly Reward[]): Promise<void> {
  await inLots(rewards, AT_ONCE, async (some) => {
    const of = <T>(value: (reward: Reward) => T): T[] => some.map(value);
    await sql`
      insert into invite_reward ("invitedId", "inviterId", "runDay", deposit, turnover, amount)
      select i, w, ${day}::date, d, t, as_money(a)
      from unnest(${of(({ invitedId }) => invitedId)}::bigint[], ${of(({ inviterId }) => inviterId)}::bigint[],
        ${of(({ deposit }) => deposit)}::numeric[], ${of(({ turnover }) => turnover)}::numeric[], ${of(({ amount }) => amount)}::numeric[])
        as r (i, w, d, t, a)`.execute(tx);
  });
}

export async function keepItems(tx: Db, day: Day, items: readonly Item[]): Promise<void> {
  await inLots(items, AT_ONCE, async (some) => {
    const of = <T>(value: (item: Item) => T): T[] => some.map(value);
    const money = (value: (item: Item) => bigint) => of((each) => moneyOf(value(each)));
    await sql`
      insert into rebate_item ("runDay", "userId", kind, due, carried, amount, rest, "testAccount")
      select ${day}::date, u, k, as_money(d), as_money(c), as_money(a), as_money(r), p."testAccount"
      from unnest(${of(({ userId }) => userId)}::bigint[], ${of(({ kind }) => kind)}::text[], ${money(({ due }) => due)}::numeric[],
        ${money(({ carried }) => carried)}::numeric[], ${money(({ amount }) => amount)}::numeric[], ${money(({ rest }) => rest)}::numeric[])
        as i (u, k, d, c, a, r) join player p on p.id = u`.execute(tx);
  });
}

interface Ended {
  readonly turnover: string;
  readonly corrected: readonly Day[];
  readonly digest: string;
}

/** Ends a run that was worked out, with what it comes to and how many slips of the day are not settled yet. */
export async function endRun(tx: Db, day: Day, { turnover, corrected, digest }: Ended): Promise<void> {
  await sql`
    update rebate_run set turnover = as_money(${turnover}::numeric), corrected = ${[...corrected]}::date[], digest = ${digest},
      unsettled = (select count(*) from slip where day = ${day}::date and status in ('PENDING', 'HELD') and not "testAccount"),
      payees = i.payees, rebate = i.rebate, returned = i.returned, invited = i.invited
    from (select count(distinct "userId") filter (where amount > 0) as payees,
        as_money(coalesce(sum(amount) filter (where kind = 'REBATE'), 0)) as rebate,
        as_money(coalesce(sum(amount) filter (where kind = 'RETURN'), 0)) as returned,
        as_money(coalesce(sum(amount) filter (where kind = 'INVITE_REWARD'), 0)) as invited
      from rebate_item where "runDay" = ${day}::date) as i
    where day = ${day}::date`.execute(tx);
}
