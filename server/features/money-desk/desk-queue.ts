import { sql } from 'kysely';
import type { DeskItem, MoneyDesk, OrderKey, OrderKind } from '#contract/money-desk.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { mayBeGiven, submitted, type Taking, takenFields, takeOldest } from '../orders/takes.ts';
import { paramsOf, tableOf } from './desk-rights.ts';

/** So many are shown; whoever looks at more of them looks at the lists. */
const SHOWN = 100;

const promisedMinutes = (db: Db, kind: OrderKind): Promise<number> =>
  readParam(db, `${paramsOf(kind)}.promisedMinutes`);

/** The oldest orders of a kind that wait. */
async function waiting(db: Db, kind: OrderKind, operator: SignedIn): Promise<DeskItem[]> {
  const table = tableOf(kind);
  const minutes = await promisedMinutes(db, kind);
  const { rows } = await sql<DeskItem>`
    with o as (select * from ${sql.table(table)} where status = 'PROCESSING' order by id limit ${sql.lit(SHOWN)})
    select ${kind} as kind, o.id, o."userId", p.username, o.amount, o.type, o."createTime",
      greatest(0, extract(epoch from clock_timestamp() - o."createTime"))::int as age,
      case when ${minutes}::int > 0
        then (${minutes}::int * 60 - extract(epoch from clock_timestamp() - o."createTime"))::int end as left,
      ${takenFields('o', operator)}, ${submitted(table, sql`o.id`)} as submitted
    from o join player p on p.id = o."userId" order by o.id`.execute(db);
  return rows;
}

const countWaiting = async (db: Db, kind: OrderKind): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(tableOf(kind))} where status = 'PROCESSING'`.execute(db);
  return rows[0]?.n ?? 0;
};

/** What was promised first, then what waits longest. */
const byUrgency = (one: DeskItem, other: DeskItem): number =>
  (one.left ?? Number.MAX_SAFE_INTEGER) - (other.left ?? Number.MAX_SAFE_INTEGER) || other.age - one.age;

/** The queue of these kinds as this operator sees it. */
export async function readQueue(db: Db, kinds: readonly OrderKind[], operator: SignedIn): Promise<MoneyDesk> {
  const counted = (kind: OrderKind) => (kinds.includes(kind) ? countWaiting(db, kind) : null);
  const [deposits, withdrawals, ...lists] = await Promise.all([
    counted('DEPOSIT'),
    counted('WITHDRAWAL'),
    ...kinds.map((kind) => waiting(db, kind, operator)),
  ]);
  const orders = lists.flat().toSorted(byUrgency).slice(0, SHOWN);
  return { deposits, withdrawals, orders };
}

/** When the oldest order of a kind that may be given was promised, in seconds from now; the kinds are tried in this order. */
async function urgencyOf(db: Db, kind: OrderKind, passed: readonly number[]): Promise<number> {
  const minutes = await promisedMinutes(db, kind);
  const table = tableOf(kind);
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from clock_timestamp() - "createTime")::float8 as age from ${sql.table(table)} o
    where ${mayBeGiven(table, passed)} order by id limit 1`.execute(db);
  const [oldest] = rows;
  if (!oldest) return Number.POSITIVE_INFINITY;
  return minutes > 0 ? minutes * 60 - oldest.age : Number.MAX_SAFE_INTEGER - oldest.age;
}

/** Takes the most urgent order of these kinds that is free; nothing when none is. */
export async function takeNext(
  db: Db,
  kinds: readonly OrderKind[],
  taking: Taking,
  passed: readonly OrderKey[],
): Promise<OrderKey | null> {
  const urgent: { kind: OrderKind; left: number[]; urgency: number }[] = [];
  for (const kind of kinds) {
    const left = passed.filter((key) => key.kind === kind).map(({ id }) => id);
    urgent.push({ kind, left, urgency: await urgencyOf(db, kind, left) });
  }
  for (const { kind, left } of urgent.toSorted((one, other) => one.urgency - other.urgency)) {
    const id = await takeOldest(db, tableOf(kind), taking, left);
    if (id !== undefined) return { kind, id };
  }
  return null;
}
