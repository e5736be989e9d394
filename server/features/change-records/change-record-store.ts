import { type SqlBool, sql } from 'kysely';
import { endpointsOf, nouns } from '#contract/all.ts';
import type { pageChangeRecords as pageOfChanges } from '#contract/change-records.ts';
import type { Input } from '#contract/endpoint.ts';
import { noOperators } from '#contract/no-operators.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import { contains, equals, on, same, type Way, where, within } from '#server/db/where.ts';
import { withSealed } from '../seals/unsealed.ts';

type Filter = Input<typeof pageOfChanges>;

const shown = [
  'id',
  'createTime',
  'summary',
  'call',
  'targetId',
  'outcome',
  'msg',
  'address',
  'input',
  'before',
  'after',
] as const;

/** What the players' site did was once written down without a name. */
const userName = sql<string>`coalesce(nullif("userName", ''), ${sql.lit(noOperators.platform)})`;
const byName: Way<string> = (name, column) =>
  name === noOperators.platform ? sql`lower(${sql.ref(column)}) in (${name}, '')` : same(name, column);

/** The names of the calls that stand under a heading of the contract. */
const callsOf = (heading: string): string[] =>
  Object.entries(nouns)
    .filter(([title]) => title === heading)
    .flatMap(([, calls]) => endpointsOf(calls).map(([name]) => name));

const literally = (calls: readonly string[]) => sql.join(calls.map((call) => sql.lit(call)));

/** What was done to a player, to their account and to what was noted of them; calls stand as they are, for the index of notes' changes. */
const doneTo = (userId: number) => sql<SqlBool>`(
  "targetId" = ${String(userId)} and call in (${literally([...callsOf('用户'), ...callsOf('玩家限额'), 'createUser'])})
  or "targetId" = (select id::text from account where "userId" = ${userId}) and call in (${literally(callsOf('账户'))})
  or coalesce(after, before) ->> 'userId' = ${String(userId)}
    and call in ('addUserNote', 'updateUserNote', 'pinUserNote', 'deleteUserNote'))`;

/** A page of the record, the newest first unless sorted otherwise, and how many match in all. */
export async function pageChangeRecords(db: Db, filter: Filter) {
  const asked = where(filter, {
    ...{ userName: byName, summary: contains, targetId: equals, outcome: equals, address: contains },
    userId: (userId) => doneTo(userId),
    noun: (noun) => sql`call = any(${callsOf(noun)}::text[])`,
    createTimeRange: on('createTime', within),
  });
  const { totalCount, data } = await page(
    db,
    db.selectFrom('change_record').where(asked).select(shown).select(userName.as('userName')),
    filter,
  );
  return { totalCount, data: await withSealed(db, 'CHANGE', data) };
}

/** A change as it was written down; nothing when there is no such one. */
export async function findChange(db: Db, id: number) {
  return db
    .selectFrom('change_record')
    .select(['call', 'targetId', 'input', 'before', 'after'])
    .where('id', '=', id)
    .executeTakeFirst();
}
