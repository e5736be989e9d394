import { sql } from 'kysely';
import type {
  Account,
  pageAccounts as pageOfAccounts,
  sumAccounts as sumOfAccounts,
} from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { writtenPage, writtenPageOfFew } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { asking, type Condition, containsName, equals, on } from '#server/db/where.ts';
import { asText, type Written } from '#server/db/written.ts';

type Filter = Input<typeof pageOfAccounts>;

const accounts: CountedList = { table: 'account' };

/** As the wire has them. */
const columns = [
  ...(['a.id', 'a.userId', 'player.username', 'player.nickName'] as const),
  asText('a.totalAmount').as('totalAmount'),
  asText('a.availableAmount').as('availableAmount'),
  asText('a.freezeAmount').as('freezeAmount'),
  asText('a.debt').as('debt'),
] as const;

/** Accounts with whose they are. */
const shown = compiledOnce((db, page: RowsOf<'account'>, order: Order) =>
  db.selectFrom(page.as('a')).innerJoin('player', 'player.id', 'a.userId').select(columns).orderBy(order),
);

const ways = { userId: on('player.id', equals), username: containsName, agentId: equals } as const;

/** Whose accounts are searched, asked of players; nothing when it is everyone's. */
const whose = (filter: Input<typeof sumOfAccounts>) => asking(filter, ways, 'player');

const ofPlayers = (asked: Condition): Condition => sql`"userId" in (select id from player where ${asked})`;

/** What the accounts that match hold together. */
export async function sumAccounts(db: Db, filter: Input<typeof sumOfAccounts>) {
  const asked = whose(filter);
  const total = (column: keyof Account) =>
    sql<string>`as_money(coalesce(sum(${sql.ref(column)}), 0))`.as(column);
  return db
    .selectFrom('account')
    .select([total('totalAmount'), total('availableAmount'), total('freezeAmount'), total('debt')])
    .where(asked ? ofPlayers(asked) : sql<boolean>`true`)
    .executeTakeFirstOrThrow();
}

/** Accounts, newest first unless sorted otherwise; the username matches anywhere inside. */
export function pageAccounts(db: Db, filter: Filter): Promise<Written<Page<Account>>> {
  const asked = whose(filter);
  if (!asked)
    return writtenPage(db, accounts, {}, filter, (_, start) =>
      shown(db, cut('account', undefined, start), orderBy(start.sort, 'a')),
    );
  // Every player has one account: they are counted without looking at these.
  return writtenPageOfFew(db, 'player', asked, filter, (start) =>
    shown(db, cut('account', ofPlayers(asked), start), orderBy(start.sort, 'a')),
  );
}

/** What a user has; nothing when there is no such user. */
export async function findBalance(db: Db, userId: number) {
  return db
    .selectFrom('account')
    .select(['userId', 'totalAmount', 'availableAmount', 'freezeAmount', 'debt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Until the transaction ends nothing reaches a user's account, and nothing leaves it. */
export const holdAccount = (tx: Db, userId: number) =>
  sql`select from account where "userId" = ${userId} for no key update`.execute(tx);
