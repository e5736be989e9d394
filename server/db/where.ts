import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { PLANNED_ANEW } from './driver/connection.ts';
import { beginning, containing } from './search.ts';

/** A condition on a row. */
export type Condition = RawBuilder<SqlBool>;

/** How a search field becomes a condition: on the column of its own name, or the one that `on` names. */
export type Way<V> = (value: V, column: string) => Condition;

/** The value is a part of the text, wherever it stands and whatever its case. */
export const contains: Way<string> = (part, column) => sql`${sql.ref(column)} ilike ${containing(part)}`;

/** Whether trigrams, which need three letters or digits in a row, are no help to find a part that has other characters than ASCII's in it. */
export const isWide = (part: string): boolean => /[^\p{ASCII}]/u.test(part) && !/[a-z\d]{3}/i.test(part);

/** The same of a player's name, whose column has an index of such characters. Said so, the index of trigrams is not asked, which would be read whole. */
export const containsName: Way<string> = (part, column) =>
  isWide(part)
    ? sql`wide_letters(${sql.ref(column)}) @> wide_letters(${part}) and ${sql.ref(column)} || '' ilike ${containing(part)}`
    : contains(part, column);

/** The text begins so, whatever its case. */
export const begins: Way<string> = (part, column) =>
  sql`lower(${sql.ref(column)}) like ${beginning(part.toLowerCase())}`;

/** The column holds this value. */
export const equals: Way<string | number | boolean> = (value, column) => sql`${sql.ref(column)} = ${value}`;

/** The same with the value written into the statement: from a parameter the planner cannot tell a rare value from a common one. */
export const literally: Way<string | boolean> = (value, column) =>
  sql`${sql.ref(column)} = ${sql.lit(value)}`;

/** The whole text is this one, whatever its case. */
export const same: Way<string> = (value, column) => sql`lower(${sql.ref(column)}) = lower(${value})`;

/** The column's moment lies within the range, both ends inclusive to the second. */
export const within: Way<readonly [string, string]> = ([from, to], column) =>
  sql`${sql.ref(column)} >= ${from}::timestamptz and ${sql.ref(column)} < ${to}::timestamptz + interval '1 second'`;

/** The same, written so that no index on the time is used and rows are read in the order of their ids. */
export const withinByIds: Way<readonly [string, string]> = ([from, to], column) =>
  sql`${sql.ref(column)} + interval '0' >= ${from}::timestamptz
    and ${sql.ref(column)} + interval '0' < ${to}::timestamptz + interval '1 second'`;

/** The same in a statement where other conditions may find fewer rows, which only its values tell. */
export const withinAnew: Way<readonly [string, string]> = (range, column) =>
  sql`${within(range, column)} ${sql.raw(PLANNED_ANEW)}`;

/** The same by another column than the field's own, such as one of a joined table. */
export const on =
  <V>(column: string, way: Way<V>): Way<V> =>
  (value) =>
    way(value, column);

type Ways<F> = { readonly [K in keyof F]?: Way<NonNullable<F[K]>> };

/** All of these conditions; undefined when there is none. */
export function and(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const asked = conditions.filter((condition) => condition !== undefined);
  return asked.length === 0 ? undefined : sql.join(asked, sql` and `);
}

/**
 * The condition that a filter amounts to: each field that is given, in its way; undefined when none is. Fields without a way are left to the
 * list. `table` qualifies columns that several tables have.
 */
export function asking<F extends object>(filter: F, ways: Ways<F>, table?: string): Condition | undefined {
  const conditions: Condition[] = [];
  for (const name in ways) {
    const way: Ways<F>[typeof name] = ways[name];
    const value = filter[name];
    if (way === undefined || value === undefined || value === null || value === '') continue;
    conditions.push(way(value, table === undefined ? name : `${table}.${name}`));
  }
  return and(...conditions);
}

/** As `asking`, for `where`: all rows when a filter asks nothing of them. */
export const where = <F extends object>(filter: F, ways: Ways<F>, table?: string): Condition =>
  asking(filter, ways, table) ?? sql`true`;
