import { type SqlBool, sql } from 'kysely';
import type { Account, pageAccounts } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { type CountedList, countedPage, type Start } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
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
function readAccounts(db: Db, { bound, skip, limit }: Start) {
  let page = db.selectFrom('account').selectAll().orderBy('id', 'desc').limit(limit).offset(skip);
  if (bound !== undefined) page = page.where('id', '<=', bound);
  return db
    .selectFrom(page.as('a'))
    .innerJoin('player as p', 'p.id', 'a.userId')
    .select(columns)
    .orderBy('a.id', 'desc');
}

/** Accounts, newest first; the username matches anywhere inside. */
export async function pageAccountRows(
  db: Db,
  filter: Filter,
): Promise<{ totalCount: number; data: Account[] }> {
  const { userId, username, agentId, currentPage, pageSize } = filter;
  if (userId === undefined && username === undefined && agentId === undefined)
    return countedPage(db, accounts, {}, filter, (start) => readAccounts(db, start));
  const conditions = [
    ...(userId === undefined ? [] : [sql<SqlBool>`p.id = ${userId}`]),
    ...(username === undefined ? [] : [sql<SqlBool>`p.username ilike ${containing(username)}`]),
    ...(agentId === undefined ? [] : [sql<SqlBool>`p."agentId" = ${agentId}`]),
  ];
  let found = db.selectFrom('player as p').innerJoin('account as a', 'a.userId', 'p.id');
  let counted = db.selectFrom('player as p').select(({ fn }) => fn.countAll<number>().as('n'));
  for (const condition of conditions) {
    found = found.where(condition);
    counted = counted.where(condition);
  }
  const page = found.select(columns).orderBy('a.id', 'desc').limit(pageSize);
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
