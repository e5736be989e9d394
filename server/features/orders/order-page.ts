import { type Compilable, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { pageDeposits } from '#contract/deposits.ts';
import type { Input } from '#contract/endpoint.ts';
import type { pageWithdrawals } from '#contract/withdrawals.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { countedPage, pageOfFew, type Start } from '#server/db/page.ts';
import { within, withinByIds } from '#server/db/search.ts';
import { ofPlayers, searchedPlayers } from '../users/user-store.ts';

/** What both kinds of orders are searched by. */
type OrderFilter = Input<typeof pageDeposits | typeof pageWithdrawals>;
type OrderSearch = Omit<OrderFilter, 'currentPage' | 'pageSize' | 'sort'>;

const statuses: readonly Required<OrderFilter>['status'][] = ['SUCCESS', 'FAIL', 'PROCESSING'];
const types: readonly (Required<OrderFilter>['type'] | '')[] = [
  'BANK_TRANSFER',
  'USDT_TRANSFER',
  'THIRD_PARTY',
  '',
];

const orders = (table: string): CountedList => ({
  table,
  ofKeys: (keys) => (keys ? sql`(status || ':' || coalesce(type, '')) = any(${keys}::text[])` : sql`true`),
});
const lists = { deposit: orders('deposit'), withdrawal: orders('withdrawal') };

/** Orders are counted by status and type together; nothing when neither was asked for. */
function keysOf({ status, type }: OrderSearch): string[] | undefined {
  if (status === undefined && type === undefined) return undefined;
  return (status ? [status] : statuses).flatMap((one) =>
    (type ? [type] : types).map((two) => `${one}:${two}`),
  );
}

type Conditions = readonly RawBuilder<SqlBool>[];

const kindConditions = ({ status, type }: OrderSearch): Conditions => [
  ...(status === undefined ? [] : [sql<SqlBool>`status = ${status}`]),
  ...(type === undefined ? [] : [sql<SqlBool>`type = ${type}`]),
];

/** What only few orders match: a number, or players. */
const fewConditions = ({ id, bankOrderNo }: OrderSearch, userIds: number[] | undefined): Conditions => [
  ...(id === undefined ? [] : [sql<SqlBool>`id = ${id}`]),
  ...(bankOrderNo === undefined ? [] : [sql<SqlBool>`"bankOrderNo" = ${bankOrderNo}`]),
  ...(userIds === undefined ? [] : [ofPlayers(userIds)]),
];

/** What the orders that match come to. */
export async function sumOrders(db: Db, table: 'deposit' | 'withdrawal', filter: OrderSearch) {
  const { createTimeRange: range } = filter;
  const userIds = await searchedPlayers(db, filter);
  const all = [
    sql<SqlBool>`true`,
    ...kindConditions(filter),
    ...fewConditions(filter, userIds),
    ...(range ? [within('createTime', range)] : []),
  ];
  const { rows } = await sql<{ amount: string; usdtAmount: string }>`
    select as_money(coalesce(sum(amount), 0)) as amount, as_money(coalesce(sum("usdtAmount"), 0)) as "usdtAmount"
    from ${sql.table(table)} where ${sql.join(all, sql` and `)}`.execute(db);
  return rows[0] ?? { amount: '0.00', usdtAmount: '0.00' };
}

type Read<Row> = (conditions: Conditions, start: Start) => Compilable<Row>;

/** Orders, newest first unless sorted otherwise. A username matches anywhere inside, whatever its case. `read` says how rows are read. */
export async function pageOrders<Row>(
  db: Db,
  table: 'deposit' | 'withdrawal',
  filter: OrderFilter,
  read: Read<Row>,
): Promise<{ totalCount: number; data: Row[] }> {
  const { createTimeRange: range } = filter;
  const userIds = await searchedPlayers(db, filter);
  if (userIds?.length === 0) return { totalCount: 0, data: [] };
  const kinds = kindConditions(filter);
  const few = fewConditions(filter, userIds);
  if (few.length > 0) {
    const all = [...few, ...kinds, ...(range ? [within('createTime', range)] : [])];
    return pageOfFew(db, table, all, filter, (start) => read(all, start));
  }
  return countedPage(db, lists[table], { keys: keysOf(filter), range }, filter, (start) =>
    read(
      [
        ...kinds,
        ...(start.since ? [start.since] : []),
        ...(start.bound === undefined ? [] : [sql<SqlBool>`id <= ${start.bound}`]),
        ...(range
          ? [start.sort === undefined ? withinByIds('createTime', range) : within('createTime', range)]
          : []),
      ],
      start,
    ),
  );
}
