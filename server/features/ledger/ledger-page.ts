import { type RawBuilder, sql } from 'kysely';
import type {
  AccountHistory,
  pageAccountHistory as pageOfHistory,
  sumAccountHistory as sumOfHistory,
} from '#contract/account-history.ts';
import type { Input } from '#contract/endpoint.ts';
import { changeType, outgoingChanges } from '#contract/named-fields.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut, literalIfUsual, type SortedStart } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { type Paging, wholeForFile, writtenPage } from '#server/db/page.ts';
import { asWritten, type Page } from '#server/db/reading.ts';
import { and, asking, type Condition, equals, on, type Way, where, withinAnew } from '#server/db/where.ts';
import { asMoment, asText, type Written } from '#server/db/written.ts';
import { isSealed } from '../seals/unsealed.ts';
import { ofUsers, searchedUsers } from '../users/user-store.ts';
import type { ChangeType } from './ledger-store.ts';

type Filter = Input<typeof pageOfHistory>;
type Search = Input<typeof sumOfHistory>;
type WrittenHistory = Written<Page<AccountHistory>>;

const allTypes = changeType.options;

/** One type as an equation, which lets an index give its rows in order and the database keep its plan. */
const ofTypes: Way<readonly string[]> = (types) =>
  types.length === 1 ? sql`"changeType" = ${types[0]}` : sql`"changeType" = any(${types}::text[])`;

const ledger: CountedList = {
  table: 'account_history',
  byIds: true,
  ofKeys: (keys) => ofTypes(keys ?? allTypes, 'changeType'),
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

/** Whose a row is, as a row itself. */
const whose = sql<{ whose: AccountHistory['account'] }>`(
  select whose from (select h."userId", p.username, p."nickName") as whose)`.as('w');

/** A stake or win that is of no slip here. */
const external = sql<boolean>`(
  h."changeType" in ('BET', 'WIN') and (h."bizOrderNo" is null or not starts_with(h."bizOrderNo", 'B')))`;

const itsPlayer = sql.ref<number>('h.userId');

/** Rows of a page with their players, or the one `player` of all, as the wire has them: the page is cut before they are joined to it. */
const withPlayers = compiledOnce(
  (db, page: RowsOf<'account_history'>, order: Order, player: RawBuilder<number>) =>
    db
      .selectFrom(page.as('h'))
      .innerJoin('player as p', (join) => join.on('p.id', '=', player))
      .crossJoinLateral(() => whose)
      .select(['h.id', asText('h.originAmount').as('originAmount'), asText('h.amount').as('amount')])
      .select([
        asText('h.newAmount').as('newAmount'),
        'h.direction',
        'h.changeType',
        'h.bizOrderNo',
        'h.desc',
      ])
      .select([asMoment('h.createTime').as('createTime'), isSealed('LEDGER', 'h.id').as('sealed')])
      .select([external.as('external'), 'w.whose as account'])
      .orderBy(order),
);

/** One account's whole ledger: its rows are numbered without gaps, so the last number is the count and a page a range. */
function pageOfUser(db: Db, userId: number, paging: Paging): Promise<WrittenHistory> {
  const { currentPage, pageSize, wanted } = wholeForFile(paging);
  const skip = (currentPage - 1) * pageSize;
  const rows: RowsOf<'account_history'> = sql`(
    select * from account_history
    where "userId" = ${userId} and "accountSeq" <= counted.n - ${skip}::bigint and "accountSeq" > counted.n - ${skip + pageSize}::bigint
    order by ${orderBy('-accountSeq')} limit ${literalIfUsual(pageSize)})`;
  const count = sql<{ n: number }>`select "lastSeq" as n from account where "userId" = ${userId}`;
  // Looked up once, and not for each row.
  const shown = withPlayers(db, rows, orderBy(undefined, 'h'), sql`${userId}::bigint`);
  return asWritten<AccountHistory>(wanted).together(db, count, shown);
}

/** Rows in the order of time: the index has them so of each type, and of each no more are looked at than the page may need. */
function cutByTime(types: readonly ChangeType[], asked: Condition | undefined, start: SortedStart) {
  const { skip, limit, sort } = start;
  const columns = sql`id, "createTime"`;
  const ofEach = types.map((type) => {
    const ofType = and(ofTypes([type], 'changeType'), asked);
    return cut('account_history', ofType, { ...start, skip: 0, limit: skip + limit }, { columns });
  });
  const order = orderBy(sort);
  const those: Condition = sql`id = any(array(
    select id from (${sql.join(ofEach, sql` union all `)}) as each_type order by ${order} limit ${limit} offset ${skip}))`;
  return cut('account_history', those, { skip: 0, limit, sort });
}

const few = { users: ofUsers, bizOrderNo: equals } as const;
const kinds = { types: ofTypes } as const;

/** A search with the types and the players that it means. */
const meant = async (db: Db, filter: Search) => ({
  ...filter,
  types: typesOf(filter),
  users: await searchedUsers(db, filter),
});

/** The ledger, newest first. A username matches anywhere inside, whatever its case. */
export async function pageAccountHistory(
  db: Db,
  filter: Filter & Pick<Paging, 'wanted'>,
): Promise<WrittenHistory> {
  const search = await meant(db, filter);
  const { users, types, bizOrderNo, createTimeRange: range } = search;
  const [userId, ...others] = users ?? [];
  if (
    userId !== undefined &&
    others.length === 0 &&
    !types &&
    bizOrderNo === undefined &&
    !range &&
    !filter.sort
  )
    return pageOfUser(db, userId, filter);
  const asked = { few: asking(search, few), kinds: asking(search, kinds), keys: types, range };
  return writtenPage<AccountHistory>(db, ledger, asked, filter, (condition, start) => {
    // For a file all rows are wanted, which are sorted as they are.
    const byTime = !asked.few && start.sort !== undefined && !filter.wanted;
    const rows = byTime
      ? cutByTime(types ?? allTypes, condition, start)
      : cut('account_history', condition, start);
    return withPlayers(db, rows, orderBy(start.sort, 'h'), itsPlayer);
  });
}

/** What the rows that match brought in, and what they took out. */
export async function sumAccountHistory(db: Db, filter: Search) {
  const asked = where(await meant(db, filter), {
    ...few,
    ...kinds,
    createTimeRange: on('createTime', withinAnew),
  });
  const total = (way: AccountHistory['direction']) =>
    sql<string>`as_money(coalesce(sum(amount) filter (where direction = ${way}), 0))`;
  return db
    .selectFrom('account_history')
    .select([total('IN').as('income'), total('OUT').as('expense')])
    .where(asked)
    .executeTakeFirstOrThrow();
}
