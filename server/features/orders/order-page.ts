import { sql } from 'kysely';
import { Deposit, type pageDeposits } from '#contract/deposits.ts';
import type { Input } from '#contract/endpoint.ts';
import { orderStatus } from '#contract/named-fields.ts';
import type { pageWithdrawals } from '#contract/withdrawals.ts';
import type { Rows } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Start } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { writtenPage } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { asking, type Condition, equals, literally, on, where, withinAnew } from '#server/db/where.ts';
import { asMoment, asText, type Written } from '#server/db/written.ts';
import { ofUsers, searchedUsers } from '../users/user-store.ts';
import type { OrderTable } from './takes.ts';

/** What both kinds of orders are searched by. */
type OrderFilter = Input<typeof pageDeposits | typeof pageWithdrawals>;
type OrderSearch = Omit<OrderFilter, 'currentPage' | 'pageSize' | 'sort'>;

/** A withdrawal may have no type. */
const types = [...Deposit.shape.type.options, ''] as const;

const orders = (table: string): CountedList => ({
  table,
  byIds: true,
  ofKeys: (keys) => (keys ? sql`(status || ':' || coalesce(type, '')) = any(${keys}::text[])` : sql`true`),
});
const lists = { deposit: orders('deposit'), withdrawal: orders('withdrawal') };

/** Orders are counted by status and type together; nothing when neither was asked for. */
function keysOf({ status, type }: OrderSearch): string[] | undefined {
  if (status === undefined && type === undefined) return undefined;
  return (status ? [status] : orderStatus.options).flatMap((one) =>
    (type ? [type] : types).map((two) => `${one}:${two}`),
  );
}

const kinds = { status: literally, type: literally } as const;
/** What only few orders match: a number, or players. */
const few = { id: equals, bankOrderNo: equals, users: ofUsers } as const;

/** What the orders that match come to. */
export async function sumOrders(db: Db, table: OrderTable, filter: OrderSearch) {
  const found = { ...filter, users: await searchedUsers(db, filter) };
  const asked = where(found, { ...kinds, ...few, createTimeRange: on('createTime', withinAnew) });
  const { rows } = await sql<{ amount: string; usdtAmount: string }>`
    select as_money(coalesce(sum(amount), 0)) as amount, as_money(coalesce(sum("usdtAmount"), 0)) as "usdtAmount"
    from ${sql.table(table)} where ${asked}`.execute(db);
  return rows[0] ?? { amount: '0.00', usdtAmount: '0.00' };
}

/** What rows of both kinds of orders begin with, as the wire has it: of an order `o` and its player `p`. */
export const orderFields = [
  ...(['o.id', 'o.userId', 'p.username', 'o.bankOrderNo', 'o.fromName', 'o.fromAccountNo'] as const),
  ...(['o.type', 'o.status', 'o.reviewer', 'o.remark'] as const),
  asText('o.amount').as('amount'),
  asText('o.usdtAmount').as('usdtAmount'),
  asMoment('o.createTime').as('createTime'),
  asMoment('o.successTime').as('successTime'),
  asMoment('o.reviewTime').as('reviewTime'),
];

type Read<Row> = (asked: Condition | undefined, start: Start) => Rows<Row>;

/** Orders as the wire has them, newest first unless sorted otherwise. A username matches anywhere inside, whatever its case. `read` says how rows are read. */
export async function pageOrders<Row>(
  db: Db,
  table: OrderTable,
  filter: OrderFilter,
  read: Read<Row>,
): Promise<Written<Page<Row>>> {
  const found = { ...filter, users: await searchedUsers(db, filter) };
  const asked = {
    few: asking(found, few),
    kinds: asking(filter, kinds),
    keys: keysOf(filter),
    range: filter.createTimeRange,
  };
  return writtenPage(db, lists[table], asked, filter, read);
}
