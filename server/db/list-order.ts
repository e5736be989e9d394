import { type RawBuilder, sql } from 'kysely';

/** What a list is sorted by: a column, with a minus in front for the other way round; absent, the newest first. */
export type Sort = string | undefined;

/** What follows `order by`. */
export type Order = RawBuilder<unknown>;

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
export function orderBy(sort: Sort, table?: string): Order {
  const asked = sort ?? NEWEST;
  const way = asked.startsWith('-') ? sql`desc` : sql`asc`;
  const at = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  const column = asked.replace(/^-/, '');
  return column === 'id' ? sql`${at('id')} ${way}` : sql`${at(column)} ${way}, ${at('id')} ${way}`;
}

/** The column a list is sorted by, and whether the other way round. */
export const sortedBy = (sort: string): { column: string; down: boolean } => ({
  column: sort.replace(/^-/, ''),
  down: sort.startsWith('-'),
});

/** What of a list of few rows reads otherwise than its values compare: its words, by their columns, and the table of its ids. */
interface FewRows {
  readonly words?: readonly string[];
  readonly table?: string;
  /** The order of rows when no other is asked for, and of rows that are equal in the one that is. */
  readonly own?: Order;
}

/** The order of a list that is small enough for any column: words as a Chinese dictionary has them, and nothing comes last. */
export function orderOfFew(sort: Sort, { words = [], table, own = orderBy(undefined, table) }: FewRows = {}) {
  if (sort === undefined) return own;
  const { column, down } = sortedBy(sort);
  const at = sql.ref(table === undefined ? column : `${table}.${column}`);
  const read = words.includes(column) ? sql`${at} collate "zh-x-icu"` : at;
  return sql`${read} ${down ? sql`desc` : sql`asc`} nulls last, ${own}`;
}
