import { type RawBuilder, sql } from 'kysely';

/** What a list is sorted by: a column, with a minus in front for the other way round; absent, the newest first. */
export type Sort = string | undefined;

const NEWEST: string = '-id';

/** The other way round. */
export const reversed = (sort: Sort): string => {
  const asked = sort ?? NEWEST;
  return asked.startsWith('-') ? asked.slice(1) : `-${asked}`;
};

/**
 * The order of a list's rows for `order by`: the column asked for, and among equals the id the same way round, as its index has
 * them. Columns stand for themselves: what may be asked for is for the contract to say.
 */
export function orderBy(sort: Sort, table?: string): RawBuilder<unknown> {
  const asked = sort ?? NEWEST;
  const way = asked.startsWith('-') ? sql`desc` : sql`asc`;
  const at = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  const column = asked.replace(/^-/, '');
  return column === 'id' ? sql`${at('id')} ${way}` : sql`${at(column)} ${way}, ${at('id')} ${way}`;
}
