import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { placeWithdrawal } from '#contract/platform.ts';
import type {
  markWithdrawal,
  pageWithdrawals as pageOfWithdrawals,
  Withdrawal,
} from '#contract/withdrawals.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { orderFields, pageOrders } from '../orders/order-page.ts';
import { placedBefore } from '../orders/placed-before.ts';
import { balance, submitted, takerOf } from '../orders/takes.ts';

/** Where one goes, as a row itself. */
const whither = sql<{ whither: Withdrawal['receiveAccount'] }>`(
  select whither from (
    select o."receiveAccountNo" as "accountNo", o."receiveRealName" as "realName", o."receiveAlias" as alias) as whither)`.as(
  'w',
);

/** Rows of a page as the wire has them, cut before players and accounts are joined to it. */
const shown = compiledOnce((db, page: RowsOf<'withdrawal'>, order: Order) =>
  db
    .selectFrom(page.as('o'))
    .innerJoin('player as p', 'p.id', 'o.userId')
    .innerJoin('account as a', 'a.userId', 'o.userId')
    .crossJoinLateral(() => whither)
    .select(orderFields)
    .select('w.whither as receiveAccount')
    .select(takerOf('o'))
    .select(balance(sql`a."totalAmount"`).as('balanceBefore'))
    .select(balance(sql`as_money(a."totalAmount" - o.amount)`).as('balanceAfter'))
    .select(balance(sql`as_money(a."totalAmount" - least(o.amount, a.debt))`).as('balanceRejected'))
    .select(
      sql<boolean>`case when o.status = 'PROCESSING' then ${submitted('withdrawal', sql`o.id`)} else false end`.as(
        'submitted',
      ),
    )
    .orderBy(order),
);

/** Withdrawals, newest first. */
export const pageWithdrawals = (db: Db, filter: Input<typeof pageOfWithdrawals>) =>
  pageOrders<Withdrawal>(db, 'withdrawal', filter, (asked, start) =>
    shown(db, cut('withdrawal', asked, start), orderBy(start.sort, 'o')),
  );

type NewWithdrawal = Input<typeof placeWithdrawal>;

/** Places a withdrawal, whose amount is to be frozen with it; nothing when its bankOrderNo has one already. */
export async function insertWithdrawal(db: Db, order: NewWithdrawal): Promise<number | undefined> {
  const { userId, amount, receiveAccount, type, bankOrderNo, usdtAmount } = order;
  const { accountNo, realName, alias } = receiveAccount;
  const { rows } = await sql<{ id: number }>`
    insert into withdrawal ("userId", amount, type, "bankOrderNo", "usdtAmount", "receiveAccountNo", "receiveRealName",
      "receiveAlias")
    values (${userId}, as_money(${amount}::numeric), ${type ?? null}, ${bankOrderNo},
      as_money(${usdtAmount ?? null}::numeric), ${accountNo}, ${realName ?? null}, ${alias ?? null})
    on conflict ("bankOrderNo") do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Keeps who pays a withdrawal that is still to be decided; afterwards it stays as it is. */
export async function setPayer(
  db: Db,
  id: number,
  { fromName, fromAccountNo }: Pick<Input<typeof markWithdrawal>, 'fromName' | 'fromAccountNo'>,
): Promise<void> {
  await sql`
    update withdrawal set "fromName" = ${fromName ?? null}, "fromAccountNo" = ${fromAccountNo ?? null}
    where id = ${id} and status = 'PROCESSING'`.execute(db);
}

/** The withdrawal placed before under the same number with the same content. Throws `orderNumberTaken`. */
export const findPlacedWithdrawal = (db: Db, order: NewWithdrawal) => {
  const { bankOrderNo, userId, amount, type, usdtAmount, receiveAccount } = order;
  const { accountNo: receiveAccountNo, realName: receiveRealName, alias: receiveAlias } = receiveAccount;
  const receiver = { receiveAccountNo, receiveRealName, receiveAlias };
  return placedBefore(db, 'withdrawal', bankOrderNo, { userId, amount, type, usdtAmount, ...receiver });
};
