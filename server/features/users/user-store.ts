import { sql } from 'kysely';
import type { pageAccountHistory } from '#contract/account-history.ts';
import type { Input } from '#contract/endpoint.ts';
import type { createUser } from '#contract/platform.ts';
import type { pageUsers as pageOfUsers, User } from '#contract/users.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { writtenPage } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { addedWhereFree } from '#server/db/rows.ts';
import { asking, contains, containsName, equals, literally, type Way } from '#server/db/where.ts';
import { asMoment, type Written } from '#server/db/written.ts';
import { Refusal } from '#server/refusal.ts';

type Filter = Input<typeof pageOfUsers>;

/** All players, counted. */
export const users: CountedList = { table: 'player', byIds: true };

const ways = {
  ...{ id: equals, agentId: equals, level: equals, frozen: literally, testAccount: literally },
  ...{ username: containsName, realName: containsName, nickName: containsName },
  ...{ phone: contains, email: contains },
} as const;

/** Rows of a page as the wire has them. */
const shown = compiledOnce((db, page: RowsOf<'player'>, order: Order) =>
  db
    .selectFrom(page.as('p'))
    .select([
      'p.id',
      'p.username',
      'p.realName',
      'p.nickName',
      'p.agentId',
      'p.level',
      'p.phone',
      'p.parentId',
    ])
    .select(['p.email', asMoment('p.createTime').as('createTime'), 'p.testAccount', 'p.frozen'])
    .select(['p.freezeReason', asMoment('p.excludedUntil').as('excludedUntil')])
    .orderBy(order),
);

/** Players, newest first unless sorted otherwise; texts match anywhere inside, whatever their case. */
export function pageUsers(db: Db, filter: Filter): Promise<Written<Page<User>>> {
  const asked = { few: asking(filter, ways), range: filter.createTimeRange };
  return writtenPage(db, users, asked, filter, (condition, start) =>
    shown(db, cut('player', condition, start), orderBy(start.sort, 'p')),
  );
}

export type NewUser = Input<typeof createUser>;

/** Adds a player with an empty account; nothing when the username is taken, in whatever case. */
export async function addUser(db: Db, player: NewUser): Promise<number | undefined> {
  const [row] = await addedWhereFree(db, 'player', [
    {
      nickName: player.nickName,
      username: player.username ?? null,
      realName: player.realName ?? null,
      agentId: player.agentId ?? null,
      parentId: player.parentId ?? null,
      phone: player.phone ?? null,
      email: player.email ?? null,
      level: player.level ?? 0,
    },
  ]);
  if (row) await db.insertInto('account').values({ userId: row.id }).execute();
  return row?.id;
}

/** More players than this are no answer to a search of their orders or ledger, and too many to count rows of. */
const MOST_MEANT = 1_000;

type WhoseRows = Pick<Input<typeof pageAccountHistory>, 'userId' | 'username'>;

/**
 * The players whose rows are searched: one by number, or those whose username has this part in it, in whatever case;
 * undefined when the search names none. Throws `usernameTooVague`.
 */
export async function searchedUsers(db: Db, { userId, username }: WhoseRows): Promise<number[] | undefined> {
  if (username === undefined) return userId === undefined ? undefined : [userId];
  let meant = db
    .selectFrom('player')
    .select('id')
    .where(containsName(username, 'username'))
    .limit(MOST_MEANT + 1);
  if (userId !== undefined) meant = meant.where('id', '=', userId);
  const found = await meant.execute();
  if (found.length > MOST_MEANT)
    throw new Refusal('usernameTooVague', { field: 'username', values: { most: MOST_MEANT } });
  return found.map(({ id }) => id);
}

/** Rows of these players; a single one as an equation, which lets the database keep its plan. */
export const ofUsers: Way<readonly number[]> = (ids) =>
  ids.length === 1 ? sql`"userId" = ${ids[0]}` : sql`"userId" = any(${ids}::bigint[])`;
