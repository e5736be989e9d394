import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { pageAccountHistory } from '#contract/account-history.ts';
import type { Input } from '#contract/endpoint.ts';
import type { createUser } from '#contract/platform.ts';
import type { pageUsers, User } from '#contract/users.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { countedPage, type Start } from '#server/db/page.ts';
import { readTogether } from '#server/db/read-together.ts';
import { containing, within } from '#server/db/search.ts';
import { Refusal } from '#server/refusal.ts';

type Filter = Input<typeof pageUsers>;

/** All players, counted. */
export const players: CountedList = { table: 'player' };

const equal = ['id', 'agentId', 'level', 'frozen', 'testAccount'] as const;
const inside = ['username', 'realName', 'nickName', 'phone', 'email'] as const;

/** Conditions for what is searched by, but for the range of time. */
function conditionsOf(filter: Filter): RawBuilder<SqlBool>[] {
  return [
    ...equal.flatMap((name) =>
      filter[name] === undefined ? [] : [sql<SqlBool>`${sql.ref(name)} = ${filter[name]}`],
    ),
    ...inside.flatMap((name) => {
      const part = filter[name];
      return part === undefined ? [] : [sql<SqlBool>`${sql.ref(name)} ilike ${containing(part)}`];
    }),
  ];
}

const readUsers = (
  db: Db,
  conditions: readonly RawBuilder<SqlBool>[],
  { bound, since, skip, limit, sort }: Start,
) => {
  let query = db.selectFrom('player').selectAll().orderBy(orderBy(sort)).limit(limit).offset(skip);
  if (bound !== undefined) query = query.where('id', '<=', bound);
  for (const condition of [...conditions, ...(since ? [since] : [])]) query = query.where(condition);
  return query;
};

/** Players, newest first unless sorted otherwise; texts match anywhere inside, whatever their case. */
export async function pagePlayers(db: Db, filter: Filter): Promise<{ totalCount: number; data: User[] }> {
  const { createTimeRange: range, currentPage, pageSize } = filter;
  const conditions = conditionsOf(filter);
  const all = range ? [...conditions, within('createTime', range)] : conditions;
  if (conditions.length === 0)
    return countedPage(db, players, { range }, filter, (start) => readUsers(db, all, start));
  const start = { skip: (currentPage - 1) * pageSize, limit: pageSize, sort: filter.sort };
  let count = db.selectFrom('player').select(({ fn }) => fn.countAll<number>().as('n'));
  for (const condition of all) count = count.where(condition);
  const [[found], data] = await readTogether(db, count, readUsers(db, all, start));
  return { totalCount: found?.n ?? 0, data };
}

export type NewPlayer = Input<typeof createUser>;

/** Adds a player with an empty account; nothing when the username is taken, in whatever case. */
export async function insertPlayer(db: Db, player: NewPlayer): Promise<number | undefined> {
  const row = await db
    .insertInto('player')
    .values({
      nickName: player.nickName,
      username: player.username ?? null,
      realName: player.realName ?? null,
      agentId: player.agentId ?? null,
      parentId: player.parentId ?? null,
      phone: player.phone ?? null,
      email: player.email ?? null,
      level: player.level ?? 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) await db.insertInto('account').values({ userId: row.id }).execute();
  return row?.id;
}

export async function playerExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('player').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** More players than this are no answer to a search of their orders or ledger, and too many to count rows of. */
const MOST_MEANT = 1_000;

type WhoseRows = Pick<Input<typeof pageAccountHistory>, 'userId' | 'username'>;

/**
 * The players whose rows are searched: one by number, or those whose username has this part in it, in whatever case;
 * undefined when the search names none. Throws `usernameTooVague`.
 */
export async function searchedPlayers(
  db: Db,
  { userId, username }: WhoseRows,
): Promise<number[] | undefined> {
  if (username === undefined) return userId === undefined ? undefined : [userId];
  let meant = db
    .selectFrom('player')
    .select('id')
    .where(sql<boolean>`username ilike ${containing(username)}`)
    .limit(MOST_MEANT + 1);
  if (userId !== undefined) meant = meant.where('id', '=', userId);
  const found = await meant.execute();
  if (found.length > MOST_MEANT)
    throw new Refusal('usernameTooVague', { field: 'username', values: { most: MOST_MEANT } });
  return found.map(({ id }) => id);
}

/** Rows of these players; a single one as an equation, which lets the database keep its plan. */
export const ofPlayers = (ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 1 ? sql`"userId" = ${ids[0]}` : sql`"userId" = any(${ids}::bigint[])`;
