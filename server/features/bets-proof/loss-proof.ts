import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { amountText, tenThousandths } from './line.ts';
import { inOneSnapshot } from './one-snapshot.ts';

/*
 * What players who limit their losses have lost, added up once more from the lines of their slips, and compared with what placing goes by:
 * of the week and month that run, since no limit asks for what was before.
 */

interface Day {
  readonly userId: number;
  readonly day: string;
  readonly amount: string;
}

/** The first day that any limit asks for, and its first moment. */
interface Since {
  readonly day: string;
  readonly time: string;
}

async function sinceWhen(tx: Db): Promise<Since> {
  const { rows } = await sql<Since>`
    select day::text as day, day_start(day)::text as time
    from (select least(date_trunc('week', now()), date_trunc('month', now()))::date as day) as first`.execute(
    tx,
  );
  return given(rows[0]);
}

async function readLost(tx: Db, { time }: Since): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select s."userId", to_char(s."createTime", 'YYYY-MM-DD') as day, (sum(l.stake) - sum(l.refund) - sum(l.payout))::text as amount
    from slip s join slip_line l on l."slipId" = s.id
    where s."createTime" >= ${time}::timestamptz and s."userId" in (select "userId" from player_limit where kind = 'LOSS')
    group by 1, 2`.execute(tx);
  return rows;
}

async function readKept(tx: Db, { day }: Since): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select "userId", to_char(day, 'YYYY-MM-DD') as day, sum(amount)::text as amount from (
      select "userId", day, loss as amount from player_loss union all select "userId", day, amount from player_loss_delta) as k
    where day >= ${day}::date group by 1, 2`.execute(tx);
  return rows;
}

const byDay = (days: readonly Day[]) =>
  new Map(days.map(({ userId, day, amount }) => [`用户 ${userId} ${day}`, tenThousandths(amount)]));

/** Where what a player has lost on a day is counted otherwise than their slips say, as one snapshot sees it. */
export function problemsOfLosses(db: Db): Promise<string[]> {
  return inOneSnapshot(db, async (tx) => {
    const since = await sinceWhen(tx);
    const [lost, kept] = [byDay(await readLost(tx, since)), byDay(await readKept(tx, since))];
    const wrong = [...new Set([...lost.keys(), ...kept.keys()])].filter(
      (key) => (lost.get(key) ?? 0n) !== (kept.get(key) ?? 0n),
    );
    const told = (amount = 0n) => amountText(amount);
    return wrong
      .toSorted()
      .map((key) => `${key} 的亏损计数应为 ${told(lost.get(key))}，记为 ${told(kept.get(key))}`);
  });
}
