import { type RawBuilder, sql } from 'kysely';

/** What a list is sorted by: a column, descending with a minus in front; without it, the newest first. */
export type Sort = string | undefined;

/** What follows `order by`. */
export type Order = RawBuilder<unknown>;

const NEWEST: string = '-id';

/** The opposite order. */
export const reversed = (sort: Sort): string => {
  const asked = sort ?? NEWEST;
  return asked.startsWith('-') ? asked.slice(1) : `-${asked}`;
};

/**
 * A list's `order by`: the column asked for, then the id in the same direction, as the column's index has them. The contract says which columns
 * may be asked for.
 */
export function orderBy(sort: Sort, table?: string): Order {
  const asked = sort ?? NEWEST;
  const way = asked.startsWith('-') ? sql`desc` : sql`asc`;
  const at = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  const column = asked.replace(/^-/, '');
  return column === 'id' ? sql`${at('id')} ${way}` : sql`${at(column)} ${way}, ${at('id')} ${way}`;
}

/** The column of a sort, and whether it is descending. */
export const sortedBy = (sort: string): { column: string; down: boolean } => ({
  column: sort.replace(/^-/, ''),
  down: sort.startsWith('-'),
});

/** How to sort a short list: `words` are the columns that are sorted as words, `table` the one that columns belong to. */
interface FewRows {
  readonly words?: readonly string[];
  readonly table?: string;
  /** The list's own order: without a sort, and among equal rows. */
  readonly own?: Order;
}

/** The order of a list short enough to be sorted by any column: words as in a Chinese dictionary, null last. */
export function orderOfFew(sort: Sort, { words = [], table, own = orderBy(undefined, table) }: FewRows = {}) {
  if (sort === undefined) return own;
  const { column, down } = sortedBy(sort);
  const at = sql.ref(table === undefined ? column : `${table}.${column}`);
  const read = words.includes(column) ? sql`${at} collate "zh-x-icu"` : at;
  return sql`${read} ${down ? sql`desc` : sql`asc`} nulls last, ${own}`;
}
