import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { callsAbout } from '#contract/about.ts';
import { contract, nouns } from '#contract/all.ts';
import type { pageChangeRecords as pageOfChanges } from '#contract/change-records.ts';
import type { AnyEndpoint, Input } from '#contract/endpoint.ts';
import { toldInEnglish } from '#contract/english/told.ts';
import { isChinese } from '#contract/english/writing.ts';
import { noOperators } from '#contract/no-operators.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { byOutcome, keysOfOutcome } from '#server/db/counted-by-outcome.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { countedPage } from '#server/db/page.ts';
import { asking, contains, equals, literally, same, type Way } from '#server/db/where.ts';
import { withSealed } from '../seals/unsealed.ts';
import { inList, isShortened } from './long-content.ts';

type Filter = Input<typeof pageOfChanges>;

const list = byOutcome('change_record');

const columns = ['id', 'createTime', 'summary', 'call', 'targetId', 'outcome', 'msg', 'address'] as const;
const contents = ['input', 'before', 'after'] as const;

/** What the players' site did was once written down without a name. */
const userName = sql<string>`coalesce(nullif("userName", ''), ${sql.lit(noOperators.platform)})`;

const rowsOf = (db: Db, page: RowsOf<'change_record'>, order: Order) =>
  db.selectFrom(page.as('change_record')).select(columns).select(userName.as('userName')).orderBy(order);

/** Rows of a page, as they are read. */
const shown = compiledOnce((db, page: RowsOf<'change_record'>, order: Order) =>
  rowsOf(db, page, order)
    .select(contents.map((column) => inList(column).as(column)))
    .select(isShortened(contents).as('shortened')),
);

/** The row that is asked for by its number, whole. */
const shownWhole = compiledOnce((db, page: RowsOf<'change_record'>, order: Order) =>
  rowsOf(db, page, order).select(contents).select(sql<boolean>`false`.as('shortened')),
);

const byName: Way<string> = (name, column) =>
  name === noOperators.platform ? sql`lower(${sql.ref(column)}) in (${name}, '')` : same(name, column);

/** That a change is about a row of a heading's noun; where a field says so, as it was noted or else sent. */
function about(heading: string): RawBuilder<SqlBool> {
  const calls = callsAbout(heading);
  const names = calls.flatMap(({ name, by }) => (by ? [] : [sql.lit(name)]));
  const told = calls.flatMap(({ name, by }) => {
    if (!by) return [];
    const [call, field, code] = [name, by.field, by.code].map((text) => sql.lit(text));
    return [sql`call = ${call} and coalesce(after ->> ${field}, input ->> ${field}) = ${code}`];
  });
  const all = names.length > 0 ? [sql`call in (${sql.join(names)})`, ...told] : told;
  return all.length > 0 ? sql`(${sql.join(all, sql` or `)})` : sql`false`;
}

/** What was done to a player, to their account and to what was noted of them; calls stand as they are, for the index of notes' changes. */
const doneTo = (userId: number) => sql<SqlBool>`(
  "targetId" = ${String(userId)} and ${about('用户')}
  or "targetId" = (select id::text from account where "userId" = ${userId}) and ${about('账户')}
  or coalesce(after, before) ->> 'userId' = ${String(userId)}
    and call in ('addUserNote', 'updateUserNote', 'pinUserNote', 'deleteUserNote'))`;

/** The heading that is meant, in Chinese or English. */
const headingMeant = (said: string): string =>
  Object.keys(nouns).find((heading) => toldInEnglish(heading) === said) ?? said;

/** The calls whose English has these words. */
function calledInEnglish(part: string): RawBuilder<SqlBool> {
  const words = part.toLowerCase();
  const calls = Object.entries<AnyEndpoint>(contract).flatMap(([name, { summary }]) =>
    toldInEnglish(summary).toLowerCase().includes(words) ? [name] : [],
  );
  return sql`call = any(${calls}::text[])`;
}

/**
 * What is called so, in words of then. There are few different calls with what each was called, between which the index skips: rows are
 * looked at of those alone.
 */
const calledSo: Way<string> = (part) =>
  !isChinese(part)
    ? calledInEnglish(part)
    : sql`call = any(array(
  with recursive each as (
    (select call, summary from change_record order by call, summary limit 1)
    union all select next.* from each, lateral (
      select c.call, c.summary from change_record c where (c.call, c.summary) > (each.call, each.summary) order by c.call, c.summary limit 1) as next
  ) select call from each where ${contains(part, 'summary')})) and ${contains(part, 'summary')}`;

/** What is looked for row by row. */
const ways = {
  id: equals,
  ...{ userName: byName, summary: calledSo, targetId: equals, address: contains },
  userId: (userId: number) => doneTo(userId),
  noun: (said: string) => about(headingMeant(said)),
} as const;

/** A page of the record, the newest first unless sorted otherwise, and how many match in all. */
export async function pageChangeRecords(db: Db, filter: Filter) {
  const asked = {
    few: asking(filter, ways),
    kinds: asking(filter, { outcome: literally }),
    keys: keysOfOutcome(filter.outcome),
    range: filter.createTimeRange,
  };
  const { totalCount, data } = await countedPage(db, list, asked, filter, (condition, start) =>
    (filter.id === undefined ? shown : shownWhole)(
      db,
      cut('change_record', condition, start),
      orderBy(start.sort),
    ),
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
