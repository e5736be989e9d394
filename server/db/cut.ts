import { type RawBuilder, sql } from 'kysely';
import type { RowsOf } from './compiled-once.ts';
import type { Tables } from './database.ts';
import { orderBy, type Sort } from './list-order.ts';
import type { Amount } from './reading.ts';
import { and, type Condition } from './where.ts';

const usual: readonly Amount[] = [10, 20, 50, 100];

/**
 * A usual page size is written into the statement. Of a limit that is a parameter the planner assumes a tenth of all rows, and so
 * would plan anew each time instead of keeping a plan.
 */
export const literalIfUsual = (limit: Amount): Amount =>
  usual.includes(limit) ? sql<number>`${sql.lit(limit)}` : limit;

/**
 * Where a page begins: at ids up to `bound` (absent when the page begins at the newest row), or at times from `since` on. `most` bounds a
 * limit that the statement computes itself.
 */
interface Beginning {
  /** How many rows there are of which few are expected. */
  readonly found?: Amount;
  /** How they are found where they are few, if otherwise than many. */
  readonly foundBy?: Condition | undefined;
  /** How many rows there are, before and behind the page too. */
  readonly total?: Amount;
  readonly bound?: Amount;
  readonly most?: number;
  readonly since?: Condition;
}

/** A beginning in the order asked for, the newest first without one. */
export interface SortedStart extends Beginning {
  readonly skip: number;
  readonly limit: number;
  readonly sort?: Sort | undefined;
}

/** As above, where the statement itself may compute how much to skip; that is possible in the usual order only. */
export type Start =
  | SortedStart
  | (Beginning & { readonly skip: Amount; readonly limit: Amount; readonly sort?: undefined });

/** So many rows are found and then sorted. More are read in their order: some of them will stand near its beginning. */
const FEW_ROWS = 20_000;
/** Up to this offset, reading rows and dropping them is cheaper than looking up where the page begins. */
export const NEAR_ROWS = 1_000;
/** The same, plus a page of a usual size. */
const MOST_NEAR = 1_100;

interface Cutting {
  /** Another order than that of `start`, for which there is an index. */
  readonly order?: RawBuilder<unknown>;
  /** What is read of a row, where not all of it. */
  readonly columns?: RawBuilder<unknown>;
}

/**
 * The rows of one page as a subquery in parentheses, to stand in place of the table: those that meet `asked`, from `start` on. Joins around
 * it then run for the rows of the page only, not for those before it.
 */
export function cut<T extends keyof Tables & string>(
  table: T,
  asked: Condition | undefined,
  start: Start,
  { order = orderBy(start.sort), columns = sql`*` }: Cutting = {},
): RowsOf<T> {
  const { bound, since, skip, limit, found, foundBy = asked } = start;
  const all = (condition: Condition | undefined) => {
    const met = and(condition, since, bound === undefined ? undefined : sql`id <= ${bound}`);
    return sql`${sql.table(table)} where ${met ?? sql`true`}`;
  };
  const rows = sql`${all(asked)} order by ${order}`;
  const from = (read: RawBuilder<unknown>, most: Amount) =>
    sql`${read} limit ${literalIfUsual(most)} ${skip === 0 ? sql`` : sql`offset ${skip}`}`;
  const byIds = (ids: RawBuilder<unknown>): RowsOf<T> =>
    sql`(select ${columns} from ${sql.table(table)} where id = any(${ids}) order by ${order})`;
  const idsOf = (page: RawBuilder<unknown>) => sql`array(select id from ${page})`;
  const most = typeof limit === 'number' ? limit : start.most;
  const isNear = typeof skip === 'number' && most !== undefined && skip + most <= MOST_NEAR;
  // Of a limit or offset that is a parameter the planner assumes a tenth of all rows, so it is shown one that covers all these pages.
  const isSeen = skip === 0 && most !== undefined && usual.includes(most);
  const near = sql`(select * from ${rows} limit ${sql.lit(MOST_NEAR)}) as near order by ${order}`;
  if (found !== undefined && (typeof found !== 'number' || found <= FEW_ROWS)) {
    // In their order few rows would be looked for to the end of the table. What stands before an offset is found first, whatever follows.
    const few = idsOf(from(sql`(select * from ${all(foundBy)} offset 0) as few order by ${order}`, limit));
    if (typeof found === 'number') return byIds(few);
    const many = idsOf(from(isSeen || !isNear ? rows : near, limit));
    return byIds(sql`case when ${found} <= ${sql.lit(FEW_ROWS)} then ${few} else ${many} end`);
  }
  if (isNear) {
    const page = from(isSeen ? rows : near, most);
    if (most === limit) return sql`(select ${columns} from ${page})`;
    return sql`(select ${columns} from (select * from ${page}) as page order by ${order} limit ${limit})`;
  }
  if (typeof limit === 'number' && typeof skip === 'number' && skip < NEAR_ROWS)
    return sql`(select ${columns} from ${from(rows, limit)})`;
  // Rows before the page are read from an index alone, if one has all that is asked; the table is read for the page only. As an array of ids,
  // since of a limit that the statement computes the planner assumes a tenth of all rows, and would read every player for twenty of them.
  return byIds(idsOf(from(rows, limit)));
}
