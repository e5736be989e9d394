import { type SqlBool, sql } from 'kysely';
import type { Account, pageAccounts, sumAccounts } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { countedPage, type Start } from '#server/db/page.ts';
import { readTogether } from '#server/db/read-together.ts';
import { containing } from '#server/db/search.ts';

type Filter = Input<typeof pageAccounts>;

const accounts: CountedList = { table: 'account' };

const columns = [
  'a.id',
  'a.userId',
  'p.username',
  'p.nickName',
  'a.totalAmount',
  'a.availableAmount',
  'a.freezeAmount',
  'a.debt',
] as const;

/** Everyone's accounts from a place on: the page is cut before the players are joined to it. */
function readAccounts(db: Db, { bound, skip, limit, sort }: Start) {
  let page = db.selectFrom('account').selectAll().orderBy(orderBy(sort)).limit(limit).offset(skip);
  if (bound !== undefined) page = page.where('id', '<=', bound);
  return db
    .selectFrom(page.as('a'))
    .innerJoin('player as p', 'p.id', 'a.userId')
    .select(columns)
    .orderBy(orderBy(sort, 'a'));
}

/** Conditions for whose accounts are searched. */
const conditionsOf = ({ userId, username, agentId }: Input<typeof sumAccounts>) => [
  ...(userId === undefined ? [] : [sql<SqlBool>`p.id = ${userId}`]),
  ...(username === undefined ? [] : [sql<SqlBool>`p.username ilike ${containing(username)}`]),
  ...(agentId === undefined ? [] : [sql<SqlBool>`p."agentId" = ${agentId}`]),
];

/** What the accounts that match hold together. */
export async function sumAccountRows(db: Db, filter: Input<typeof sumAccounts>) {
  const conditions = conditionsOf(filter);
  const of = sql`select id from player p where ${sql.join([sql`true`, ...conditions], sql` and `)}`;
  const total = (column: keyof Account) =>
    sql<string>`as_money(coalesce(sum(${sql.ref(column)}), 0))`.as(column);
  return db
    .selectFrom('account')
    .select([total('totalAmount'), total('availableAmount'), total('freezeAmount'), total('debt')])
    .$if(conditions.length > 0, (all) => all.where(sql<SqlBool>`"userId" in (${of})`))
    .executeTakeFirstOrThrow();
}

/** Accounts, newest first unless sorted otherwise; the username matches anywhere inside. */
export async function pageAccountRows(
  db: Db,
  filter: Filter,
): Promise<{ totalCount: number; data: Account[] }> {
  const { currentPage, pageSize } = filter;
  const conditions = conditionsOf(filter);
  if (conditions.length === 0)
    return countedPage(db, accounts, {}, filter, (start) => readAccounts(db, start));
  let found = db.selectFrom('player as p').innerJoin('account as a', 'a.userId', 'p.id');
  let counted = db.selectFrom('player as p').select(({ fn }) => fn.countAll<number>().as('n'));
  for (const condition of conditions) {
    found = found.where(condition);
    counted = counted.where(condition);
  }
  const page = found.select(columns).orderBy(orderBy(filter.sort, 'a')).limit(pageSize);
  const [[count], data] = await readTogether(db, counted, page.offset((currentPage - 1) * pageSize));
  return { totalCount: count?.n ?? 0, data };
}

/** What a user has; nothing when there is no such user. */
export async function findBalance(db: Db, userId: number) {
  return db
    .selectFrom('account')
    .select(['userId', 'totalAmount', 'availableAmount', 'freezeAmount', 'debt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}
