import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type CountedList, type CountedPart, counting, countRows, locate } from './counted-list.ts';
import type { Db } from './database.ts';
import { orderBy, reversed, type Sort } from './list-order.ts';
import { readTogether } from './read-together.ts';
import { and, type Condition, within, withinByIds } from './where.ts';

/** The page an operator asked for. */
export interface Paging {
  readonly currentPage: number;
  readonly pageSize: number;
  readonly sort?: Sort;
}

/** A page of what is found, and how many there are of it. */
export interface Page<Row> {
  readonly totalCount: number;
  readonly data: Row[];
}

/**
 * A page of rows that are few enough to be counted one by one, in the order asked for, or else the newest first; count and rows come in
 * one trip. `order` is for a list with an order of its own.
 */
export async function page<D, T extends keyof D, O>(
  db: Db,
  query: SelectQueryBuilder<D, T, O>,
  { currentPage, pageSize, sort }: Paging,
  order: RawBuilder<unknown> = orderBy(sort),
): Promise<Page<O>> {
  const count = query.clearSelect().select(({ fn }) => fn.countAll().as('n')) as unknown as Compilable<{
    n: number;
  }>;
  const rows = query
    .orderBy(order)
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize);
  const [[found], data] = await readTogether(db, count, rows);
  return { totalCount: found?.n ?? 0, data };
}

/** Where a page's rows begin, and their order: `bound` is absent when nothing has to be jumped over, `sort` for the newest first. */
export interface Start {
  readonly bound?: number;
  readonly skip: number;
  readonly limit: number;
  readonly sort?: Sort;
}

/**
 * The rows of a page, for what is looked up for them alone and not for those that are jumped over: `rows` of a table that are `asked`
 * for, from `start` on. `order` is for an order that an index has otherwise.
 */
export function cut<D, T extends keyof D, O>(
  rows: SelectQueryBuilder<D, T, O>,
  asked: Condition | undefined,
  { bound, skip, limit, sort }: Start,
  order: RawBuilder<unknown> = orderBy(sort),
): SelectQueryBuilder<D, T, O> {
  const condition = and(asked, bound === undefined ? undefined : sql`id <= ${bound}`);
  const found = condition ? rows.where(condition) : rows;
  const page = found.orderBy(order).limit(limit);
  return skip > 0 ? page.offset(skip) : page;
}

/** Up to here reading and dropping rows is cheaper than looking up where they end. */
const NEAR_ROWS = 1_000;

/**
 * A page in another order than the newest first. Its rows are read from the end that is nearer, so that the oldest stand as near as the
 * newest.
 */
async function sortedPage<Row>(
  db: Db,
  list: CountedList,
  part: CountedPart,
  { currentPage, pageSize, sort }: Paging,
  rowsFrom: (start: Start) => Compilable<Row>,
): Promise<Page<Row>> {
  const offset = (currentPage - 1) * pageSize;
  const totalCount = part.range
    ? (await locate(db, list, part, 0)).totalCount
    : await countRows(db, list, part);
  const limit = Math.min(pageSize, totalCount - offset);
  if (limit <= 0) return { totalCount, data: [] };
  const read = async (start: Start) => (await db.executeQuery(rowsFrom(start).compile())).rows;
  const behind = totalCount - offset - limit;
  if (offset <= behind || offset < NEAR_ROWS)
    return { totalCount, data: await read({ skip: offset, limit, sort }) };
  const backwards = await read({ skip: behind, limit, sort: reversed(sort) });
  return { totalCount, data: backwards.reverse() };
}

/** A page of a part of a counted list in the order it has by itself. */
async function newestPage<Row>(
  db: Db,
  list: CountedList,
  part: CountedPart,
  { currentPage, pageSize }: Paging,
  rowsFrom: (start: Start) => Compilable<Row>,
): Promise<Page<Row>> {
  const offset = (currentPage - 1) * pageSize;
  const read = async (totalCount: number, start: Omit<Start, 'limit'>) => {
    // Never more rows than there are: looking for one more would read on to the list's beginning.
    const limit = Math.min(pageSize, totalCount - offset);
    return { totalCount, data: (await db.executeQuery(rowsFrom({ ...start, limit }).compile())).rows };
  };
  // A range may lie far back, so that its first row has to be looked up too.
  if (part.range || part.scattered || offset >= NEAR_ROWS) {
    const { totalCount, place } = await locate(db, list, part, offset);
    return place ? read(totalCount, place) : { totalCount, data: [] };
  }
  if (part.keys) {
    const totalCount = await countRows(db, list, part);
    return offset < totalCount ? read(totalCount, { skip: offset }) : { totalCount, data: [] };
  }
  const rows = rowsFrom({ skip: offset, limit: pageSize });
  const [[count], data] = await readTogether(db, counting(list, part), rows);
  return { totalCount: count?.n ?? 0, data };
}

/**
 * A page of rows of `table` that an index finds, few enough to be counted one by one; `rowsFrom` says how the rows themselves are read,
 * newest id first unless sorted otherwise.
 */
export async function pageOfFew<Row>(
  db: Db,
  table: string,
  asked: Condition,
  { currentPage, pageSize, sort }: Paging,
  rowsFrom: (start: Start) => Compilable<Row>,
): Promise<Page<Row>> {
  const count = sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${asked}`;
  const start = { skip: (currentPage - 1) * pageSize, limit: pageSize, sort };
  const [[found], data] = await readTogether(db, count, rowsFrom(start));
  return { totalCount: found?.n ?? 0, data };
}

/** What is asked of a counted list: by `keys` and `range` it is counted, unless there is something of which few rows are. */
export interface Asked extends CountedPart {
  readonly few?: Condition | undefined;
  /** What the keys mean, asked of rows. */
  readonly kinds?: Condition | undefined;
}

/** A page of a counted list; `rowsFrom` as in `pageOfFew`, of what is `asked` of the rows. */
export async function countedPage<Row>(
  db: Db,
  list: CountedList,
  { few, kinds, ...part }: Asked,
  paging: Paging,
  rowsFrom: (asked: Condition | undefined, start: Start) => Compilable<Row>,
): Promise<Page<Row>> {
  const { time = 'createTime', byIds } = list;
  const during = (way: typeof within) => part.range && way(part.range, time);
  if (few) {
    const asked = and(few, kinds, during(within)) ?? few;
    return pageOfFew(db, list.table, asked, paging, (start) => rowsFrom(asked, start));
  }
  const sorted = paging.sort !== undefined;
  const asked = and(kinds, during(byIds && !sorted ? withinByIds : within));
  const pageInOrder = sorted ? sortedPage : newestPage;
  return pageInOrder(db, list, part, paging, (start) => rowsFrom(asked, start));
}
