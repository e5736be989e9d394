import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { postAll, refusalOfProblem } from '../ledger/ledger-store.ts';
import type { Item } from './items.ts';

/** The order number under which a day's rebate stands in the ledger; numbers that begin with B are nobody else's. */
export const rebateOrderNo = (day: string, userId: number): string =>
  `BR${day.replaceAll('-', '')}/${userId}`;

const descs = { REBATE: '返水', RETURN: '返点', INVITE_REWARD: '邀请奖励' } as const;
/** So many entries are posted in a transaction, which holds their accounts meanwhile. */
const AT_ONCE = 200;

interface Unpaid {
  readonly runDay: string;
  readonly userId: number;
  readonly kind: Item['kind'];
  readonly amount: string;
}

/** What comes next to be paid, taken until the transaction ends; others' are passed over. What could not be posted waits. */
async function takeUnpaid(tx: Db): Promise<Unpaid[]> {
  const { rows } = await sql<Unpaid>`
    select i."runDay", i."userId", i.kind, i.amount from rebate_item i join rebate_run r on r.day = i."runDay" and r.status = 'PAYING'
    where i."postTime" is null and i.amount > 0 and (i."nextTime" is null or i."nextTime" <= now())
    order by i."runDay", i."userId", i.kind limit ${AT_ONCE} for update of i skip locked`.execute(tx);
  return rows;
}

/** Posts what comes next, in one transaction with its mark, so that it is paid once however often somebody is stopped. */
async function paySome(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const items = await takeUnpaid(tx);
    if (items.length === 0) return false;
    const posted = await postAll(
      tx,
      items.map(({ runDay, userId, kind, amount }) => ({
        ...{ userId, amount, changeType: kind },
        bizOrderNo: rebateOrderNo(runDay, userId),
        desc: `${runDay} ${descs[kind]}`,
      })),
      { standAlone: true },
    );
    const problems = posted.map(({ problem }) => problem && refusalOfProblem(problem).message);
    const of = <T>(value: (item: Unpaid) => T): T[] => items.map(value);
    await sql`
      update rebate_item i set "postTime" = case when p.problem is null then clock_timestamp() end, problem = p.problem,
        "nextTime" = case when p.problem is not null then now() + interval '10 minutes' end
      from unnest(${of(({ runDay }) => runDay)}::date[], ${of(({ userId }) => userId)}::bigint[], ${of(({ kind }) => kind)}::text[],
        ${problems}::text[]) as p (day, "userId", kind, problem)
      where i."runDay" = p.day and i."userId" = p."userId" and i.kind = p.kind`.execute(tx);
    return true;
  });
}

/** Runs of which everything is posted are done. */
const endPaid = (db: Db) =>
  sql`
  update rebate_run r set status = 'DONE', "doneTime" = clock_timestamp()
  where status = 'PAYING' and not exists (
    select from rebate_item i where i."runDay" = r.day and i."postTime" is null and i.amount > 0)`.execute(
    db,
  );

/** Pays what was released until nothing is left, or this server stops. Any number of servers do so at once. */
export async function payReleased(db: Db, isStopping: () => boolean = () => false): Promise<void> {
  while (!isStopping() && (await paySome(db)));
  await endPaid(db);
}
