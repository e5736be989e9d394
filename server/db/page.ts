import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import {
  type CountedList,
  type CountedPart,
  counting,
  countRows,
  locate,
  locateByTime,
} from './counted-list.ts';
import type { Db } from './database.ts';
import { orderBy, reversed, type Sort, sortedBy } from './list-order.ts';
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

/**
 * Where a page's rows begin, and their order: `bound` is absent when nothing has to be jumped over, `sort` for the newest first; `since` is
 * what holds for rows that are not earlier than the page's, where they are sorted by their time.
 */
export interface Start {
  readonly bound?: number;
  readonly since?: Condition;
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
  { bound, since, skip, limit, sort }: Start,
  order: RawBuilder<unknown> = orderBy(sort),
): SelectQueryBuilder<D, T, O> {
  const condition = and(asked, since, bound === undefined ? undefined : sql`id <= ${bound}`);
  const found = condition ? rows.where(condition) : rows;
  const page = found.orderBy(order).limit(limit);
  return skip > 0 ? page.offset(skip) : page;
}

/** Up to here reading and dropping rows is cheaper than looking up where they end. */
const NEAR_ROWS = 1_000;

const countPart = async (db: Db, list: CountedList, part: CountedPart): Promise<number> =>
  part.range ? (await locate(db, list, part, 0)).totalCount : countRows(db, list, part);

/** How many rows of a part are older than its range. */
async function olderThan(db: Db, list: CountedList, part: CountedPart): Promise<number> {
  if (!part.range) return 0;
  const upTo = await countPart(db, list, { ...part, range: ['1970-01-01 00:00:00', part.range[1]] });
  return upTo - (await countPart(db, list, part));
}

/** Where to begin reading in the order of time, however many rows lie before: the counts lead to the block of time. */
async function startByTime(db: Db, list: CountedList, part: CountedPart, first: number) {
  const place = await locateByTime(db, list, part, (await olderThan(db, list, part)) + first);
  if (!place) return { skip: first };
  const { time = 'createTime' } = list;
  // Rows of the range's first block that lie before the range are skipped by the range itself.
  const skip = part.range ? Math.min(place.skip, first) : place.skip;
  return { skip, since: sql<SqlBool>`${sql.ref(time)} >= to_timestamp(${place.since})` };
}

/**
 * A page in another order than the newest first. Its rows are read from the end that is nearer, or from where the counts say that they are:
 * they know ids and times. A page the other way round is read backwards.
 */
async function sortedPage<Row>(
  db: Db,
  list: CountedList,
  part: CountedPart,
  { currentPage, pageSize, sort = '-id' }: Paging,
  rowsFrom: (start: Start) => Compilable<Row>,
): Promise<Page<Row>> {
  const offset = (currentPage - 1) * pageSize;
  const totalCount = await countPart(db, list, part);
  const limit = Math.min(pageSize, totalCount - offset);
  if (limit <= 0) return { totalCount, data: [] };
  const { column, down } = sortedBy(sort);
  const read = async (start: Start) => (await db.executeQuery(rowsFrom(start).compile())).rows;
  const backwards = async (start: Start) => (await read(start)).reverse();
  const behind = totalCount - offset - limit;
  if (column === 'id') {
    const { place } = await locate(db, list, part, behind);
    return { totalCount, data: await backwards({ limit, ...(place ?? { skip: behind }) }) };
  }
  if (Math.min(offset, behind) >= NEAR_ROWS && column === (list.time ?? 'createTime')) {
    const start = { ...(await startByTime(db, list, part, down ? behind : offset)), limit, sort: column };
    return { totalCount, data: await (down ? backwards(start) : read(start)) };
  }
  if (offset <= behind) return { totalCount, data: await read({ skip: offset, limit, sort }) };
  return { totalCount, data: await backwards({ skip: behind, limit, sort: reversed(sort) }) };
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
  const sorted = paging.sort !== undefined && paging.sort !== '-id';
  const asked = and(kinds, during(byIds && !sorted ? withinByIds : within));
  const pageInOrder = sorted ? sortedPage : newestPage;
  return pageInOrder(db, list, part, paging, (start) => rowsFrom(asked, start));
}
