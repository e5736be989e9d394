import { type Compilable, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { pageDeposits } from '#contract/deposits.ts';
import type { Input } from '#contract/endpoint.ts';
import type { pageWithdrawals } from '#contract/withdrawals.ts';
import { type CountedList, countedPage, pageOfFew, type Start } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { within } from '#server/db/search.ts';
import { ofPlayers, searchedPlayers } from '../users/user-store.ts';

/** What both kinds of orders are searched by. */
type OrderFilter = Input<typeof pageDeposits | typeof pageWithdrawals>;

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
function keysOf({ status, type }: OrderFilter): string[] | undefined {
  if (status === undefined && type === undefined) return undefined;
  return (status ? [status] : statuses).flatMap((one) =>
    (type ? [type] : types).map((two) => `${one}:${two}`),
  );
}

type Conditions = readonly RawBuilder<SqlBool>[];

const kindConditions = ({ status, type }: OrderFilter): Conditions => [
  ...(status === undefined ? [] : [sql<SqlBool>`status = ${status}`]),
  ...(type === undefined ? [] : [sql<SqlBool>`type = ${type}`]),
];

type Read<Row> = (conditions: Conditions, start: Start) => Compilable<Row>;

/** Orders, newest first. A username matches anywhere inside, whatever its case. `read` says how rows are read, by id, descending. */
export async function pageOrders<Row>(
  db: Db,
  table: 'deposit' | 'withdrawal',
  filter: OrderFilter,
  read: Read<Row>,
): Promise<{ totalCount: number; data: Row[] }> {
  const { id, bankOrderNo, createTimeRange: range } = filter;
  const userIds = await searchedPlayers(db, filter);
  if (userIds?.length === 0) return { totalCount: 0, data: [] };
  const kinds = kindConditions(filter);
  const few = [
    ...(id === undefined ? [] : [sql<SqlBool>`id = ${id}`]),
    ...(bankOrderNo === undefined ? [] : [sql<SqlBool>`"bankOrderNo" = ${bankOrderNo}`]),
    ...(userIds === undefined ? [] : [ofPlayers(userIds)]),
  ];
  if (few.length > 0) {
    const all = [...few, ...kinds, ...(range ? [within('createTime', range)] : [])];
    return pageOfFew(db, table, all, filter, (start) => read(all, start));
  }
  return countedPage(db, lists[table], { keys: keysOf(filter), range }, filter, (start) =>
    read(
      [
        ...kinds,
        ...(start.bound === undefined ? [] : [sql<SqlBool>`id <= ${start.bound}`]),
        // Written so that no index on the time is used: the rows are read in the order of their ids from the bound on.
        ...(range ? [sql<SqlBool>`"createTime" + interval '0' >= ${range[0]}::timestamptz`] : []),
        ...(range
          ? [sql<SqlBool>`"createTime" + interval '0' < ${range[1]}::timestamptz + interval '1 second'`]
          : []),
      ],
      start,
    ),
  );
}
