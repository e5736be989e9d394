import { sql } from 'kysely';
import type { Deposit, pageDeposits as pageOfDeposits } from '#contract/deposits.ts';
import type { Input } from '#contract/endpoint.ts';
import type { placeDeposit } from '#contract/platform.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { orderFields, pageOrders } from '../orders/order-page.ts';
import { placedBefore } from '../orders/placed-before.ts';
import { balance, takerOf } from '../orders/takes.ts';

/** Rows of a page as the wire has them, cut before players and accounts are joined to it. */
const shown = compiledOnce((db, page: RowsOf<'deposit'>, order: Order) =>
  db
    .selectFrom(page.as('o'))
    .innerJoin('player as p', 'p.id', 'o.userId')
    .innerJoin('account as a', 'a.userId', 'o.userId')
    .select(orderFields)
    .select(takerOf('o'))
    .select(balance(sql`a."totalAmount"`).as('balanceBefore'))
    // What comes in pays off what is owed first.
    .select(balance(sql`as_money(a."totalAmount" + greatest(o.amount - a.debt, 0))`).as('balanceAfter'))
    .orderBy(order),
);

/** Deposits, newest first. */
export const pageDeposits = (db: Db, filter: Input<typeof pageOfDeposits>) =>
  pageOrders<Deposit>(db, 'deposit', filter, (asked, start) =>
    shown(db, cut('deposit', asked, start), orderBy(start.sort, 'o')),
  );

type NewDeposit = Input<typeof placeDeposit>;

/** Places a deposit; nothing when its bankOrderNo has one already. */
export async function insertDeposit(db: Db, order: NewDeposit): Promise<number | undefined> {
  const { userId, amount, type, bankOrderNo, fromName, fromAccountNo, usdtAmount } = order;
  const { rows } = await sql<{ id: number }>`
    insert into deposit ("userId", amount, type, "bankOrderNo", "fromName", "fromAccountNo", "usdtAmount")
    values (${userId}, as_money(${amount}::numeric), ${type}, ${bankOrderNo}, ${fromName ?? null}, ${fromAccountNo ?? null},
      as_money(${usdtAmount ?? null}::numeric))
    on conflict ("bankOrderNo") do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** The deposit placed before under the same number with the same content. Throws `orderNumberTaken`. */
export const findPlacedDeposit = (db: Db, { bankOrderNo, ...content }: NewDeposit) => {
  const { userId, amount, type, fromName, fromAccountNo, usdtAmount } = content;
  return placedBefore(db, 'deposit', bankOrderNo, {
    userId,
    amount,
    type,
    fromName,
    fromAccountNo,
    usdtAmount,
  });
};
