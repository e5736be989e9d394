import { type InferResult, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountHistory, pageAccountHistory, sumAccountHistory } from '#contract/account-history.ts';
import type { Input } from '#contract/endpoint.ts';
import { changeType, outgoingChanges } from '#contract/named-fields.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { countedPage, type Start } from '#server/db/page.ts';
import { readTogether } from '#server/db/read-together.ts';
import { within, withinByIds } from '#server/db/search.ts';
import { ofPlayers, searchedPlayers } from '../users/user-store.ts';
import type { ChangeType } from './ledger-store.ts';

type Filter = Input<typeof pageAccountHistory>;
type Search = Input<typeof sumAccountHistory>;
type Page = { totalCount: number; data: AccountHistory[] };

const nothing: Page = { totalCount: 0, data: [] };

const allTypes = changeType.options;

/** One type as an equation, which lets an index give its rows in order and the database keep its plan. */
const ofTypes = (types: readonly string[]): RawBuilder<SqlBool> =>
  types.length === 1 ? sql`"changeType" = ${types[0]}` : sql`"changeType" = any(${types}::text[])`;

const ledger: CountedList = {
  table: 'account_history',
  ofKeys: (keys) => ofTypes(keys ?? allTypes),
};

/** The types that a type and a direction leave; nothing when neither was asked for. A type has one direction. */
function typesOf({ changeType: type, direction }: Search): ChangeType[] | undefined {
  if (type === undefined && direction === undefined) return undefined;
  return allTypes.filter(
    (each) =>
      (type === undefined || each === type) &&
      (direction === undefined || outgoingChanges.includes(each) === (direction === 'OUT')),
  );
}

type Conditions = readonly RawBuilder<SqlBool>[];

/** Rows of a page with their players: the page is cut before they are joined to it. */
function readRows(
  db: Db,
  conditions: Conditions,
  { skip, limit, sort }: Start,
  order: RawBuilder<unknown> = orderBy(sort),
) {
  let page = db.selectFrom('account_history').selectAll().orderBy(order).limit(limit);
  if (skip > 0) page = page.offset(skip);
  for (const condition of conditions) page = page.where(condition);
  return db
    .selectFrom(page.as('h'))
    .innerJoin('player as p', 'p.id', 'h.userId')
    .select(['h.id', 'h.userId', 'p.username', 'p.nickName', 'h.originAmount', 'h.amount', 'h.newAmount'])
    .select(['h.direction', 'h.changeType', 'h.bizOrderNo', 'h.desc', 'h.createTime'])
    .orderBy(orderBy(sort, 'h'));
}

type Row = InferResult<ReturnType<typeof readRows>>[number];

const staked = ['BET', 'WIN'];

const withAccount = ({ userId, username, nickName, ...row }: Row): AccountHistory => ({
  ...row,
  external: staked.includes(row.changeType) && !row.bizOrderNo?.startsWith('B'),
  account: { userId, username, nickName },
});

/** One account's whole ledger: its rows are numbered without gaps, so the last number is the count and a page a range. */
async function pageOfUser(db: Db, userId: number, { currentPage, pageSize }: Filter): Promise<Page> {
  const skip = (currentPage - 1) * pageSize;
  const account = db.selectFrom('account').select('lastSeq').where('userId', '=', userId);
  const conditions = [
    sql<SqlBool>`"userId" = ${userId}`,
    sql<SqlBool>`"accountSeq" <= (${account}) - ${skip}::bigint`,
    sql<SqlBool>`"accountSeq" > (${account}) - ${skip + pageSize}::bigint`,
  ];
  const rows = readRows(db, conditions, { skip: 0, limit: pageSize }, orderBy('-accountSeq'));
  const [[found], data] = await readTogether(db, account, rows);
  return { totalCount: found?.lastSeq ?? 0, data: data.map(withAccount) };
}

/** Rows found through an index of a few of them: by user or by order number. */
async function pageOfFew(
  db: Db,
  conditions: Conditions,
  { currentPage, pageSize, sort }: Filter,
): Promise<Page> {
  let count = db.selectFrom('account_history').select(({ fn }) => fn.countAll<number>().as('n'));
  for (const condition of conditions) count = count.where(condition);
  const start = { skip: (currentPage - 1) * pageSize, limit: pageSize, sort };
  const [[found], rows] = await readTogether(db, count, readRows(db, conditions, start));
  return { totalCount: found?.n ?? 0, data: rows.map(withAccount) };
}

/** Rows in the order of time: the index has them so of each type, and of each no more are looked at than the page may need. */
function readByTime(
  db: Db,
  types: readonly ChangeType[],
  conditions: Conditions,
  { skip, limit, sort }: Start,
) {
  const order = orderBy(sort);
  const ofEach = types.map(
    (type) => sql`(select id, "createTime" from account_history
      where ${sql.join([ofTypes([type]), ...conditions], sql` and `)} order by ${order} limit ${skip + limit})`,
  );
  const those = sql<SqlBool>`id = any(array(
    select id from (${sql.join(ofEach, sql` union all `)}) as each_type order by ${order} limit ${limit} offset ${skip}))`;
  return readRows(db, [those], { skip: 0, limit, sort });
}

/** The whole ledger, certain types of it, or a range of time: counted as it is written. */
async function pageOfAll(db: Db, types: ChangeType[] | undefined, filter: Filter): Promise<Page> {
  const range = filter.createTimeRange;
  const page = await countedPage(db, ledger, { keys: types, range }, filter, (start) => {
    const { bound, since, sort } = start;
    if (sort !== undefined) {
      const times = [...(range ? [within('createTime', range)] : []), ...(since ? [since] : [])];
      return readByTime(db, types ?? allTypes, times, start);
    }
    const conditions = [
      ...(bound === undefined ? [] : [sql<SqlBool>`id <= ${bound}`]),
      ...(types ? [ofTypes(types)] : []),
      ...(range ? [withinByIds('createTime', range)] : []),
    ];
    return readRows(db, conditions, start);
  });
  return { ...page, data: page.data.map(withAccount) };
}

/** Conditions for whatever is searched by. */
const conditionsOf = (
  { bizOrderNo, createTimeRange }: Search,
  types: ChangeType[] | undefined,
  userIds: number[] | undefined,
): Conditions => [
  ...(userIds === undefined ? [] : [ofPlayers(userIds)]),
  ...(bizOrderNo === undefined ? [] : [sql<SqlBool>`"bizOrderNo" = ${bizOrderNo}`]),
  ...(types ? [ofTypes(types)] : []),
  ...(createTimeRange ? [within('createTime', createTimeRange)] : []),
];

/** The ledger, newest first unless sorted otherwise. A username matches anywhere inside, whatever its case. */
export async function pageLedger(db: Db, filter: Filter): Promise<Page> {
  const { bizOrderNo, createTimeRange } = filter;
  const types = typesOf(filter);
  const userIds = await searchedPlayers(db, filter);
  if (types?.length === 0 || userIds?.length === 0) return nothing;
  const [userId, ...others] = userIds ?? [];
  const onlyUser = others.length === 0 && !types && bizOrderNo === undefined && !createTimeRange;
  if (userId !== undefined && onlyUser && filter.sort === undefined) return pageOfUser(db, userId, filter);
  if (userIds === undefined && bizOrderNo === undefined) return pageOfAll(db, types, filter);
  return pageOfFew(db, conditionsOf(filter, types, userIds), filter);
}

/** What the rows that match brought in, and what they took out. */
export async function sumLedger(db: Db, filter: Search) {
  const types = typesOf(filter);
  const userIds = await searchedPlayers(db, filter);
  const total = (way: AccountHistory['direction']) =>
    sql<string>`as_money(coalesce(sum(amount) filter (where direction = ${way}), 0))`;
  let rows = db.selectFrom('account_history').select([total('IN').as('income'), total('OUT').as('expense')]);
  for (const condition of conditionsOf(filter, types, userIds)) rows = rows.where(condition);
  return rows.executeTakeFirstOrThrow();
}
