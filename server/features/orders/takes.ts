import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';

/** Both tables of orders; a row of either is taken and decided alike. */
export type OrderTable = 'deposit' | 'withdrawal';

/** That nobody has taken an order, or no longer. */
const untaken = sql<SqlBool>`("takenBy" is null or "takenUntil" <= clock_timestamp())`;

/** That nobody but this operator has taken an order. */
export const untakenBut = (operatorId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${untaken} or "takenBy" = ${operatorId})`;

/** A balance that an order would come from or lead to, as the wire has it, while it is undecided. */
export const balance = (amount: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`case when o.status = 'PROCESSING' then (${amount})::text end`;

/** Who has taken an order of this table or alias, while it is theirs. */
export const takerOf = (orders: string): AliasedRawBuilder<string | null, 'taker'> =>
  sql<string | null>`(select t."userName" from operator t
    where t.id = ${sql.ref(`${orders}.takenBy`)} and ${sql.ref(`${orders}.takenUntil`)} > clock_timestamp())`.as(
    'taker',
  );

/** Who has taken an order until when, and whether that is this operator. */
export const takenFields = (orders: string, { id }: SignedIn): RawBuilder<unknown> => {
  const lasts = sql`coalesce(${sql.ref(`${orders}.takenUntil`)} > clock_timestamp(), false)`;
  return sql`${takerOf(orders)}, case when ${lasts} then ${sql.ref(`${orders}.takenUntil`)} end as "takenUntil",
    (${lasts} and coalesce(${sql.ref(`${orders}.takenBy`)} = ${id}, false)) as own`;
};

/** That a decision of a withdrawal waits for a second operator; a deposit's never does. */
export const submitted = (table: OrderTable, orderId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  table === 'deposit'
    ? sql<SqlBool>`false`
    : sql<SqlBool>`exists (select from approval where call = 'markWithdrawal' and "targetId" = ${orderId}::text
        and status = 'PENDING' and "expireTime" > clock_timestamp())`;

/** Tells why nothing could be done to an order. Throws `recordNotFound`, `orderDecided`, `orderTaken` or `orderSubmitted`. */
export async function refuseOrder(db: Db, table: OrderTable, id: number): Promise<never> {
  const { rows } = await sql<{ status: string; taker: string | null; submitted: boolean }>`
    select o.status, ${takerOf('o')}, ${submitted(table, sql`o.id`)} as submitted
    from ${sql.table(table)} o where id = ${id}`.execute(db);
  const [order] = rows;
  if (!order) throw new Refusal('recordNotFound');
  if (order.status !== 'PROCESSING') throw new Refusal('orderDecided');
  if (order.taker !== null) throw new Refusal('orderTaken', { values: { name: order.taker } });
  // It was put back between the two statements; trying again will do.
  throw new Refusal(order.submitted ? 'orderSubmitted' : 'contended');
}

/**
 * To be called before a take. Whoever ends the session waits for it and puts back what was taken, or has ended it before: then nothing is taken.
 * Throws `unauthenticated`.
 */
export async function holdSession(db: Db, { sessionId }: SignedIn): Promise<void> {
  const { rows } = await sql`
    select from session where id = ${sessionId}::uuid and "revokeTime" is null for share`.execute(db);
  if (rows.length === 0) throw new Refusal('unauthenticated');
}

/** Who takes, and for how long. */
export interface Taking {
  readonly operator: SignedIn;
  readonly minutes: number;
}

const takenBy = ({
  operator,
  minutes,
}: Taking) => sql`"takenBy" = ${operator.id}, "takenIn" = ${operator.sessionId}::uuid,
  "takenUntil" = clock_timestamp() + make_interval(mins => ${minutes}::int)`;

/** That an order `o` may be given to whoever asks for the next one, and passed over these. */
export const mayBeGiven = (table: OrderTable, passed: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(status = 'PROCESSING' and ${untaken} and id <> all(${[...passed]}::bigint[])
    and not ${submitted(table, sql`o.id`)})`;

/**
 * Takes the oldest order that nobody has taken and gives its id. Whoever takes at the same moment is passed over row by row, and a row
 * that was taken meanwhile is looked at again once its lock is held: no order is ever given to two.
 */
export async function takeOldest(
  db: Db,
  table: OrderTable,
  taking: Taking,
  passed: readonly number[],
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set ${takenBy(taking)} where id = (
      select id from ${sql.table(table)} o where ${mayBeGiven(table, passed)}
      order by id limit 1 for no key update skip locked)
    returning id`.execute(db);
  return rows[0]?.id;
}

/** Takes this order, from somebody else with `over` alone, and tells from whom. Throws what `refuseOrder` does. */
export async function takeThis(
  db: Db,
  table: OrderTable,
  id: number,
  taking: Taking,
  over: boolean,
): Promise<string | null> {
  const before = await sql<{ taker: string | null }>`
    select ${takerOf('o')} from ${sql.table(table)} o where id = ${id} for no key update of o`.execute(db);
  const { rows } = await sql`
    update ${sql.table(table)} o set ${takenBy(taking)}
    where id = ${id} and status = 'PROCESSING' and (${over} or ${untakenBut(taking.operator.id)}) and not ${submitted(table, sql`o.id`)}
    returning id`.execute(db);
  if (rows.length === 0) return refuseOrder(db, table, id);
  const taker = before.rows[0]?.taker ?? null;
  return taker === taking.operator.userName ? null : taker;
}

/** Puts back an order that this operator has taken, and tells whether they had; another's stays theirs. */
export async function putBack(
  db: Db,
  table: OrderTable,
  id: number,
  { id: operatorId }: SignedIn,
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set "takenBy" = null, "takenIn" = null, "takenUntil" = null
    where id = ${id} and "takenBy" = ${operatorId} returning id`.execute(db);
  return rows.length > 0;
}
