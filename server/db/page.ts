import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Rows, RowsOf } from './compiled-once.ts';
import {
  type CountedList,
  type CountedPart,
  counting,
  countRows,
  locate,
  locateByTime,
  placing,
} from './counted-list.ts';
import type { Db, Tables } from './database.ts';
import { orderBy, reversed, type Sort, sortedBy } from './list-order.ts';
import { readTogether } from './read-together.ts';
import { type Amount, asValues, asWritten, type Page, type Reading } from './reading.ts';
import { and, type Condition, within, withinByIds } from './where.ts';
import type { Wanted, Written } from './written.ts';

/** The page an operator asked for. */
export interface Paging {
  readonly currentPage: number;
  readonly pageSize: number;
  readonly sort?: Sort;
  /** For a file: of a list that the database writes, nothing but these. */
  readonly wanted?: Wanted;
}

/** More rows than any list has. */
const ALL_ROWS = 2 ** 40;

/** What is read for a page: for a file the whole list at once. */
export const wholeForFile = ({ wanted, ...paging }: Paging): Paging =>
  wanted ? { ...paging, wanted, currentPage: 1, pageSize: ALL_ROWS } : paging;

const usual: readonly Amount[] = [10, 20, 50, 100];

/**
 * Sizes that are asked for all the time stand in the statement itself: of one that is a parameter the database believes that it is a tenth
 * of all rows, so that it would plan the statement anew each time rather than keep a plan.
 */
export const literalIfUsual = (limit: Amount): Amount =>
  usual.includes(limit) ? sql<number>`${sql.lit(limit)}` : limit;

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
  const first = query.orderBy(order).limit(literalIfUsual(pageSize));
  const rows = currentPage === 1 ? first : first.offset((currentPage - 1) * pageSize);
  const [[found], data] = await readTogether(db, count, rows);
  return { totalCount: found?.n ?? 0, data };
}

/**
 * Where a page's rows begin: `bound` is absent when nothing has to be jumped over; `since` is what holds for rows that are not earlier than
 * the page's, where they are sorted by their time. `most` is what a limit comes to at most that the statement finds out itself.
 */
interface Beginning {
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

/** A beginning in whatever order; only with the newest first does the statement itself find out how far it is. */
export type Start =
  | SortedStart
  | (Beginning & { readonly skip: Amount; readonly limit: Amount; readonly sort?: undefined });

/** Up to here reading and dropping rows is cheaper than looking up where they end. */
const NEAR_ROWS = 1_000;
/** With a page of a usual size behind them. */
const MOST_NEAR = 1_100;

/** What is cut out of a table otherwise than usual. */
interface Cutting {
  /** An order that an index has otherwise. */
  readonly order?: RawBuilder<unknown>;
  /** What is read of a row, where not all of it. */
  readonly columns?: RawBuilder<unknown>;
}

/**
 * The rows of a page, for what is looked up for them alone and not for those that are jumped over: rows of a table that are `asked` for,
 * from `start` on. In parentheses, as they stand where a table would.
 */
export function cut<T extends keyof Tables & string>(
  table: T,
  asked: Condition | undefined,
  start: Start,
  { order = orderBy(start.sort), columns = sql`*` }: Cutting = {},
): RowsOf<T> {
  const { bound, since, skip, limit } = start;
  const condition = and(asked, since, bound === undefined ? undefined : sql`id <= ${bound}`);
  const rows = sql`${sql.table(table)} ${condition ? sql`where ${condition}` : sql``} order by ${order}`;
  const from = (read: RawBuilder<unknown>, most: Amount) =>
    sql`${read} limit ${literalIfUsual(most)} ${skip === 0 ? sql`` : sql`offset ${skip}`}`;
  const most = typeof limit === 'number' ? limit : start.most;
  if (typeof skip === 'number' && most !== undefined && skip + most <= MOST_NEAR) {
    // Of a limit or offset that it does not see the database believes that it is a tenth of all rows. So it sees one that holds for all.
    const seen = skip === 0 && usual.includes(most);
    const near = sql`(select * from ${rows} limit ${sql.lit(MOST_NEAR)}) as near order by ${order}`;
    const page = from(seen ? rows : near, most);
    if (most === limit) return sql`(select ${columns} from ${page})`;
    return sql`(select ${columns} from (select * from ${page}) as page order by ${order} limit ${limit})`;
  }
  const found = from(rows, limit);
  if (typeof limit === 'number' && typeof skip === 'number' && skip < NEAR_ROWS)
    return sql`(select ${columns} from ${found})`;
  // What is jumped over is read from an index alone, where one has all that is asked; only the page itself from the table. Of so many rows
  // as the statement finds out itself the database believes that they are a tenth of all, and would read every player for twenty rows.
  return sql`(select ${columns} from ${sql.table(table)} where id = any(array(select id from ${found})) order by ${order})`;
}

/** What a page is read of, and how. */
interface Source<Row, P> {
  readonly db: Db;
  readonly list: CountedList;
  readonly part: CountedPart;
  readonly reading: Reading<Row, P>;
}

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
async function sortedPage<Row, P>(
  { db, list, part, reading }: Source<Row, P>,
  { currentPage, pageSize, sort = '-id' }: Paging,
  rowsFrom: (start: Start) => Rows<Row>,
): Promise<P> {
  const offset = (currentPage - 1) * pageSize;
  const totalCount = await countPart(db, list, part);
  const limit = Math.min(pageSize, totalCount - offset);
  if (limit <= 0) return reading.none(totalCount);
  const { column, down } = sortedBy(sort);
  const read = (start: Start) => reading.rows(db, totalCount, rowsFrom(start), false);
  const backwards = (start: Start) => reading.rows(db, totalCount, rowsFrom(start), true);
  const behind = totalCount - offset - limit;
  if (column === 'id') {
    const { place } = await locate(db, list, part, behind);
    return backwards({ limit, ...(place ?? { skip: behind }) });
  }
  if (Math.min(offset, behind) >= NEAR_ROWS && column === (list.time ?? 'createTime')) {
    const start = { ...(await startByTime(db, list, part, down ? behind : offset)), limit, sort: column };
    return down ? backwards(start) : read(start);
  }
  if (offset <= behind) return read({ skip: offset, limit, sort });
  return backwards({ skip: behind, limit, sort: reversed(sort) });
}

/** A page of a part of a counted list in the order it has by itself. */
async function newestPage<Row, P>(
  { db, list, part, reading }: Source<Row, P>,
  { currentPage, pageSize }: Paging,
  rowsFrom: (start: Start) => Rows<Row>,
): Promise<P> {
  const offset = (currentPage - 1) * pageSize;
  // A range may lie far back, so that its first row has to be looked up too.
  if (part.range || part.scattered || offset >= NEAR_ROWS)
    return reading.placed(db, placing(list, part, offset), { offset, pageSize }, rowsFrom);
  // Never more rows than there are: looking for one more would read on to the list's beginning.
  if (part.keys) return reading.upTo(db, counting(list, part), { offset, pageSize }, rowsFrom);
  return reading.together(db, counting(list, part), rowsFrom({ skip: offset, limit: pageSize }));
}

type RowsFrom<Row> = (start: Start) => Rows<Row>;
type RowsAsked<Row> = (asked: Condition | undefined, start: Start) => Rows<Row>;

/** A page of rows of `table` that an index finds, few enough to be counted one by one. */
function fewPage<Row, P>(
  { db, table, reading }: Pick<Source<Row, P>, 'db' | 'reading'> & { table: string },
  asked: Condition,
  { currentPage, pageSize, sort }: Paging,
  rowsFrom: RowsFrom<Row>,
): Promise<P> {
  const count = sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${asked}`;
  const rows = rowsFrom({ skip: (currentPage - 1) * pageSize, limit: pageSize, sort });
  return reading.together(db, count, rows);
}

/** What is asked of a counted list: by `keys` and `range` it is counted, unless there is something of which few rows are. */
export interface Asked extends CountedPart {
  readonly few?: Condition | undefined;
  /** What the keys mean, asked of rows. */
  readonly kinds?: Condition | undefined;
}

function pageRead<Row, P>(
  { db, list, reading }: Omit<Source<Row, P>, 'part'>,
  { few, kinds, ...part }: Asked,
  paging: Paging,
  rowsFrom: RowsAsked<Row>,
): Promise<P> {
  const { table, time = 'createTime', byIds } = list;
  const during = (way: typeof within) => part.range && way(part.range, time);
  if (few) {
    const asked = and(few, kinds, during(within)) ?? few;
    return fewPage({ db, table, reading }, asked, paging, (start) => rowsFrom(asked, start));
  }
  const sorted = paging.sort !== undefined && paging.sort !== '-id';
  const asked = and(kinds, during(byIds && !sorted ? withinByIds : within));
  const pageInOrder = sorted ? sortedPage : newestPage;
  return pageInOrder({ db, list, part, reading }, paging, (start: Start) => rowsFrom(asked, start));
}

/** A page of a counted list as values; `rowsFrom` says how the rows of a page are read, newest id first unless sorted otherwise. */
export const countedPage = <Row>(
  db: Db,
  list: CountedList,
  asked: Asked,
  paging: Paging,
  rowsFrom: RowsAsked<Row>,
): Promise<Page<Row>> => pageRead({ db, list, reading: asValues<Row>() }, asked, paging, rowsFrom);

/** The same as the database writes it: each row as the wire has it (see `written.ts`). */
export const writtenPage = <Row>(
  db: Db,
  list: CountedList,
  asked: Asked,
  paging: Paging,
  rowsFrom: RowsAsked<Row>,
): Promise<Written<Page<Row>>> =>
  pageRead({ db, list, reading: asWritten<Row>(paging.wanted) }, asked, wholeForFile(paging), rowsFrom);

/** A written page of rows of `table` that an index finds, few enough to be counted one by one. */
export const writtenPageOfFew = <Row>(
  db: Db,
  table: string,
  asked: Condition,
  paging: Paging,
  rowsFrom: RowsFrom<Row>,
): Promise<Written<Page<Row>>> =>
  fewPage({ db, table, reading: asWritten<Row>(paging.wanted) }, asked, wholeForFile(paging), rowsFrom);
