import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';

/** Both tables of orders; a row of either is taken and decided alike. */
export type OrderTable = 'deposit' | 'withdrawal';

/** That nobody has taken an order, or no longer. */
const untaken = sql<SqlBool>`("takenBy" is null or "takenUntil" <= clock_timestamp())`;

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

/** That a decision in this operator's name is being released: only the transaction that does so sees it released and the order undecided. */
const beingReleased = (orderId: RawBuilder<unknown>, makerId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from approval where call = 'markWithdrawal'
    and "targetId" = ${orderId}::text and "makerId" = ${makerId} and status = 'RELEASED')`;

interface Standing {
  readonly status: string;
  readonly taker: string | null;
  readonly isOwn: boolean;
  readonly waits: boolean;
}

/**
 * Holds an order that is to be taken or decided, or of which a decision is to be handed in: whoever wants one of these waits until the
 * transaction ends, and then looks. With `over` it may be taken by somebody else, whose name is given. Throws `recordNotFound`,
 * `orderDecided`, `orderTaken` and `orderSubmitted`.
 */
export async function holdOrder(
  db: Db,
  table: OrderTable,
  id: number,
  { id: operatorId, sessionId }: SignedIn,
  over = false,
): Promise<string | null> {
  // Whoever ends the session passes over what is held, and waits: what is undone in the end is put back then, too.
  await sql`select from session where id = ${sessionId}::uuid for share`.execute(db);
  // A statement of its own: what is handed in while one waits for the row, that one does not see.
  await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(db);
  const { rows } = await sql<Standing>`
    select o.status, ${takerOf('o')}, coalesce(o."takenBy" = ${operatorId}, false) as "isOwn",
      ${submitted(table, sql`o.id`)} and not ${beingReleased(sql`o.id`, operatorId)} as waits
    from ${sql.table(table)} o where id = ${id}`.execute(db);
  const [order] = rows;
  if (!order) throw new Refusal('recordNotFound');
  if (order.status !== 'PROCESSING') throw new Refusal('orderDecided');
  const other = order.isOwn ? null : order.taker;
  if (other !== null && !over) throw new Refusal('orderTaken', { values: { name: other } });
  if (order.waits) throw new Refusal('orderSubmitted');
  return other;
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

/** Takes this order, from somebody else with `over` alone, and tells from whom. Throws what `holdOrder` does. */
export async function takeThis(
  db: Db,
  table: OrderTable,
  id: number,
  taking: Taking,
  over: boolean,
): Promise<string | null> {
  const from = await holdOrder(db, table, id, taking.operator, over);
  await sql`update ${sql.table(table)} set ${takenBy(taking)} where id = ${id}`.execute(db);
  return from;
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
