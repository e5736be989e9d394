import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as search from './search.ts';

/** How a search field finds rows: by its own column, or the one that `on` names. */
export type Way<V> = (value: V, column: string) => RawBuilder<SqlBool>;

/** The value is a part of the text, wherever it stands and whatever its case. */
export const contains: Way<string> = (part, column) =>
  sql`${sql.ref(column)} ilike ${search.containing(part)}`;

/** The text begins so, whatever its case. */
export const begins: Way<string> = (part, column) =>
  sql`lower(${sql.ref(column)}) like ${search.beginning(part.toLowerCase())}`;

/** The column holds this value. */
export const equals: Way<string | number | boolean> = (value, column) => sql`${sql.ref(column)} = ${value}`;

/** The whole text is this one, whatever its case. */
export const same: Way<string> = (value, column) => sql`lower(${sql.ref(column)}) = lower(${value})`;

/** The column's moment lies within the range, both ends inclusive to the second. */
export const within: Way<readonly [string, string]> = (range, column) => search.within(column, range);

/** The same by another column than the field's own, such as one of a joined table. */
export const on =
  <V>(column: string, way: Way<V>): Way<V> =>
  (value) =>
    way(value, column);

type Ways<F> = { readonly [K in keyof F]?: Way<NonNullable<F[K]>> };

/**
 * What a filter asks of rows, for `where`: each field that is there, in its way; all rows when none is. A field without a way is for its
 * list to answer. `table` is where columns lie that several tables have.
 */
export function where<F extends object>(filter: F, ways: Ways<F>, table?: string): RawBuilder<SqlBool> {
  const conditions = Object.entries<Way<never> | undefined>(ways).flatMap(([name, way]) => {
    const value: unknown = Reflect.get(filter, name);
    if (way === undefined || value === undefined || value === '') return [];
    return [way(value as never, table === undefined ? name : `${table}.${name}`)];
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
