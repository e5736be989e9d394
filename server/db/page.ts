import {
  type Compilable,
  type OperationNodeSource,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { wrong } from '#server/refusal.ts';
import type { Rows } from './compiled-once.ts';
import {
  type CountedList,
  type CountedPart,
  counting,
  countRows,
  locate,
  locateByTime,
  placing,
} from './counted-list.ts';
import { literalIfUsual, NEAR_ROWS, type Start } from './cut.ts';
import type { Db } from './database.ts';
import { orderBy, reversed, type Sort, sortedBy } from './list-order.ts';
import { readTogether } from './read-together.ts';
import { asValues, asWritten, type Page, type Reading } from './reading.ts';
import { and, type Condition, within, withinAnew, withinByIds } from './where.ts';
import type { Wanted, Written } from './written.ts';

/** The page an operator asked for. */
export interface Paging {
  readonly currentPage: number;
  readonly pageSize: number;
  readonly sort?: Sort;
  /** For a file of a list that the database writes: the values that the file has. */
  readonly wanted?: Wanted;
  /** For a file: it is read a page at a time, and holds as much as there is. */
  readonly file?: true;
}

/** More rows than any list has. */
const ALL_ROWS = 2 ** 40;

/** The page to read: for a file, the whole list as one. */
export const wholeForFile = ({ wanted, ...paging }: Paging): Paging =>
  wanted ? { ...paging, wanted, currentPage: 1, pageSize: ALL_ROWS } : paging;

/** Of a page of more rows it is looked at first what they come to. */
const MANY_ROWS = 1_000;
/** No page holds more: it is in memory as a whole, several times over. */
const MOST_MEGABYTES = 64;

/** Throws `invalid` at the page's size where its texts are too long to be held together. */
async function demandHoldable(db: Db, rows: OperationNodeSource): Promise<void> {
  const found = await sql<{ megabytes: number }>`
    select coalesce(sum(octet_length(r::text)), 0)::float8 / 1048576 as megabytes from (${rows}) as r`.execute(
    db,
  );
  if ((found.rows[0]?.megabytes ?? 0) > MOST_MEGABYTES)
    throw wrong('pageSize', `这一页的内容超过 ${MOST_MEGABYTES} MB，请减少每页条数`);
}

/**
 * A page of a list short enough to be counted row by row, with its count, in one round trip. The newest come first unless the paging
 * sorts; `order` is for a list with an order of its own.
 */
export async function page<D, T extends keyof D, O>(
  db: Db,
  query: SelectQueryBuilder<D, T, O>,
  { currentPage, pageSize, sort, file }: Paging,
  order: RawBuilder<unknown> = orderBy(sort),
): Promise<Page<O>> {
  const count = query.clearSelect().select(({ fn }) => fn.countAll().as('n')) as unknown as Compilable<{
    n: number;
  }>;
  const first = query.orderBy(order).limit(literalIfUsual(pageSize));
  const rows = currentPage === 1 ? first : first.offset((currentPage - 1) * pageSize);
  if (pageSize > MANY_ROWS && !file) await demandHoldable(db, rows);
  const [[found], data] = await readTogether(db, count, rows);
  return { totalCount: found?.n ?? 0, data };
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

/**
 * Where to begin reading `limit` rows in the order of time: the counters tell in which block of time row number `first` lies. Of certain keys
 * among many others also where to end.
 */
async function startByTime(db: Db, list: CountedList, part: CountedPart, first: number, limit: number) {
  const older = await olderThan(db, list, part);
  const place = await locateByTime(db, list, part, older + first);
  if (!place) return { skip: first };
  const last = part.keys && (await locateByTime(db, list, part, older + first + limit - 1));
  const time = sql.ref(list.time ?? 'createTime');
  // Rows of the range's first block that lie before the range are skipped by the range itself.
  const skip = part.range ? Math.min(place.skip, first) : place.skip;
  const since = sql<SqlBool>`${time} >= to_timestamp(${place.since})`;
  return { skip, since: and(since, last && sql`${time} < to_timestamp(${last.until})`) ?? since };
}

/**
 * A page in another order than the newest first. It is read from the nearer end of the list, backwards if need be, or from where the
 * counters, which know ids and times, say that it begins.
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
  // Rows of some keys may all stand behind very many others, as what waits does in the order of time.
  if ((part.keys || Math.min(offset, behind) >= NEAR_ROWS) && column === (list.time ?? 'createTime')) {
    const first = down ? behind : offset;
    const start = { ...(await startByTime(db, list, part, first, limit)), limit, sort: column };
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
  const skip = (currentPage - 1) * pageSize;
  return reading.few(db, count, (found) => rowsFrom({ found, skip, limit: pageSize, sort }));
}

/** What is asked of a counted list. The counters know `keys` and `range`; with `few` the rows are counted one by one instead. */
export interface Asked extends CountedPart {
  /** A condition that only few rows meet, found by an index. */
  readonly few?: Condition | undefined;
  /** The keys as a condition on rows. */
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
    const asked = and(few, kinds, during(withinAnew)) ?? few;
    return fewPage({ db, table, reading }, asked, paging, (start) => rowsFrom(asked, start));
  }
  const sorted = paging.sort !== undefined && paging.sort !== '-id';
  // Where ids do not follow the time, few rows may lie far apart in their order, and the index of the time finds those.
  const isEither = part.range !== undefined && !byIds && !sorted;
  const asked = and(kinds, during(sorted ? within : withinByIds));
  const foundBy = isEither ? and(kinds, during(kinds ? withinAnew : within)) : undefined;
  const pageInOrder = sorted ? sortedPage : newestPage;
  return pageInOrder({ db, list, part, reading }, paging, (start: Start) =>
    rowsFrom(asked, isEither ? { ...start, found: start.total, foundBy } : start),
  );
}

/** A page of a counted list as values, newest id first unless sorted otherwise; `rowsFrom` gives the query for the rows of a page. */
export const countedPage = <Row>(
  db: Db,
  list: CountedList,
  asked: Asked,
  paging: Paging,
  rowsFrom: RowsAsked<Row>,
): Promise<Page<Row>> => pageRead({ db, list, reading: asValues<Row>() }, asked, paging, rowsFrom);

/** The same as JSON that the database writes, ready for the wire (see `written.ts`). */
export const writtenPage = <Row>(
  db: Db,
  list: CountedList,
  asked: Asked,
  paging: Paging,
  rowsFrom: RowsAsked<Row>,
): Promise<Written<Page<Row>>> =>
  pageRead({ db, list, reading: asWritten<Row>(paging.wanted) }, asked, wholeForFile(paging), rowsFrom);

/** A page of rows of `table` that are few enough to be counted one by one, as values. */
export const pageOfFew = <Row>(
  db: Db,
  table: string,
  asked: Condition,
  paging: Paging,
  rowsFrom: RowsFrom<Row>,
): Promise<Page<Row>> => fewPage({ db, table, reading: asValues<Row>() }, asked, paging, rowsFrom);

/** The same as the database writes it. */
export const writtenPageOfFew = <Row>(
  db: Db,
  table: string,
  asked: Condition,
  paging: Paging,
  rowsFrom: RowsFrom<Row>,
): Promise<Written<Page<Row>>> =>
  fewPage({ db, table, reading: asWritten<Row>(paging.wanted) }, asked, wholeForFile(paging), rowsFrom);
