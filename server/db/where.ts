import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { beginning, containing } from './search.ts';

/** What is asked of a row. */
export type Condition = RawBuilder<SqlBool>;

/** How a search field finds rows: by its own column, or the one that `on` names. */
export type Way<V> = (value: V, column: string) => Condition;

/** The value is a part of the text, wherever it stands and whatever its case. */
export const contains: Way<string> = (part, column) => sql`${sql.ref(column)} ilike ${containing(part)}`;

/** The text begins so, whatever its case. */
export const begins: Way<string> = (part, column) =>
  sql`lower(${sql.ref(column)}) like ${beginning(part.toLowerCase())}`;

/** The column holds this value. */
export const equals: Way<string | number | boolean> = (value, column) => sql`${sql.ref(column)} = ${value}`;

/**
 * The same of a value that the contract knows: it stands in the statement, since for one that it does not see the database would look for rare rows as
 * if there were many.
 */
export const literally: Way<string> = (value, column) => sql`${sql.ref(column)} = ${sql.lit(value)}`;

/** The whole text is this one, whatever its case. */
export const same: Way<string> = (value, column) => sql`lower(${sql.ref(column)}) = lower(${value})`;

/** The column's moment lies within the range, both ends inclusive to the second. */
export const within: Way<readonly [string, string]> = ([from, to], column) =>
  sql`${sql.ref(column)} >= ${from}::timestamptz and ${sql.ref(column)} < ${to}::timestamptz + interval '1 second'`;

/** The same, written so that no index on the time is used: the rows are read in the order of their ids from a bound on. */
export const withinByIds: Way<readonly [string, string]> = ([from, to], column) =>
  sql`${sql.ref(column)} + interval '0' >= ${from}::timestamptz
    and ${sql.ref(column)} + interval '0' < ${to}::timestamptz + interval '1 second'`;

/** The same by another column than the field's own, such as one of a joined table. */
export const on =
  <V>(column: string, way: Way<V>): Way<V> =>
  (value) =>
    way(value, column);

type Ways<F> = { readonly [K in keyof F]?: Way<NonNullable<F[K]>> };

/** All of these together; what is absent asks nothing. */
export function and(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const asked = conditions.filter((condition) => condition !== undefined);
  return asked.length === 0 ? undefined : sql.join(asked, sql` and `);
}

/**
 * What a filter asks of rows, each field that is there in its way; nothing when none is. A field without a way is for its list to answer.
 * `table` is where columns lie that several tables have.
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
