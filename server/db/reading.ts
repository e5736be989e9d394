import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import type { Rows } from './compiled-once.ts';
import type { PlaceRow } from './counted-list.ts';
import type { Db } from './database.ts';
import { readBytes } from './read-bytes.ts';
import { readTogether } from './read-together.ts';
import { rowsOf, running, turned, type Wanted, Written } from './written.ts';

/** The rows of one page, and how many rows match in all. */
export interface Page<Row> {
  readonly totalCount: number;
  readonly data: Row[];
}

/** A number, or an expression that the statement computes it by. */
export type Amount = number | RawBuilder<number>;

/** Which rows of those counted make a page. */
interface Stretch {
  readonly offset: number;
  readonly pageSize: number;
}

/** Where the rows of a page begin and how many there are. */
interface Cut {
  readonly bound?: Amount;
  readonly skip: Amount;
  readonly limit: Amount;
  /** What a limit comes to at most that the statement finds out itself. */
  readonly most?: number;
  /** How many rows there are, before and behind the page too. */
  readonly total?: Amount;
}

/** How a page is read: as values, for lists that work on their rows, or as the database writes it, to be passed on. */
export interface Reading<Row, P> {
  /** Count and rows at once. Where they are written, the query for the rows may use the count as `counted.n`. */
  together(db: Db, count: RawBuilder<{ n: number }>, rows: Rows<Row>): Promise<P>;
  /** The count, row by row, and then the rows by how many there are. */
  few(db: Db, count: RawBuilder<{ n: number }>, rowsFrom: (found: Amount) => Rows<Row>): Promise<P>;
  /** The count first, and then no more rows than it says. */
  upTo(
    db: Db,
    count: RawBuilder<{ n: number }>,
    { offset, pageSize }: Stretch,
    rowsFrom: (cut: Cut) => Rows<Row>,
  ): Promise<P>;
  /** First the place where the page begins, and then its rows. */
  placed(
    db: Db,
    place: RawBuilder<PlaceRow>,
    { offset, pageSize }: Stretch,
    rowsFrom: (cut: Cut) => Rows<Row>,
  ): Promise<P>;
  /** The rows alone, of a known count; `backwards` when they come in reverse order. */
  rows(db: Db, totalCount: number, rows: Rows<Row>, backwards: boolean): Promise<P>;
  /** A page past the end. */
  none(totalCount: number): P;
}

const readRows = async <Row>(db: Db, rows: Rows<Row>): Promise<Row[]> =>
  (await db.executeQuery(rows.compile(db))).rows;

/** The ways to read that take two steps: first where the page begins, then its rows by `read`. */
const inTurn = <Row, P>(
  read: (db: Db, totalCount: number, rows: Rows<Row>, backwards: boolean) => P | Promise<P>,
  none: (totalCount: number) => P,
): Omit<Reading<Row, P>, 'together'> => ({
  async few(db, count, rowsFrom) {
    const found = (await count.execute(db)).rows[0]?.n ?? 0;
    return found > 0 ? read(db, found, rowsFrom(found), false) : none(0);
  },
  async upTo(db, count, { offset, pageSize }, rowsFrom) {
    const totalCount = (await count.execute(db)).rows[0]?.n ?? 0;
    const limit = Math.min(pageSize, totalCount - offset);
    return limit > 0 ? read(db, totalCount, rowsFrom({ skip: offset, limit }), false) : none(totalCount);
  },
  async placed(db, place, { offset, pageSize }, rowsFrom) {
    const { totalCount = 0, bound = null, skip = null } = (await place.execute(db)).rows[0] ?? {};
    if (bound === null || skip === null) return none(totalCount);
    const limit = Math.min(pageSize, totalCount - offset);
    return read(db, totalCount, rowsFrom({ bound, skip, limit, total: totalCount }), false);
  },
  rows: async (db, totalCount, rows, backwards) => read(db, totalCount, rows, backwards),
  none,
});

/** Rows as values. */
export const asValues = <Row>(): Reading<Row, Page<Row>> => ({
  ...inTurn<Row, Page<Row>>(
    async (db, totalCount, rows, backwards) => {
      const data = await readRows(db, rows);
      return { totalCount, data: backwards ? data.reverse() : data };
    },
    (totalCount) => ({ totalCount, data: [] }),
  ),
  async together(db, count, rows) {
    const [[found], data] = await readTogether(db, count, rows);
    return { totalCount: found?.n ?? 0, data };
  },
});

const END = Buffer.from(']}');

const pageOf = <Row>(totalCount: number | string, rows: Buffer | null): Written<Page<Row>> => {
  const begin = Buffer.from(`{"totalCount":${totalCount},"data":[`);
  return new Written(rows ? [begin, rows, END] : [begin, END]);
};

/** Rows on their way into a file, of each only what is wanted. */
function asFile<Row>(wanted: Wanted): Reading<Row, Written<Page<Row>>> {
  const file = (db: Db, totalCount: number, rows: OperationNodeSource, backwards = false) =>
    new Written<Page<Row>>({ totalCount, lines: running(db, rows, { wanted, backwards }) });
  return {
    ...inTurn(file, (totalCount) => pageOf<Row>(totalCount, null)),
    async together(db, count, rows) {
      const totalCount = (await count.execute(db)).rows[0]?.n ?? 0;
      const counted = sql`(select ${totalCount}::bigint as n) as counted`;
      return file(db, totalCount, sql`select page.* from ${counted}, lateral (${rows}) as page`);
    },
  };
}

/** The count, and the rows of the page as one text; null for a page without rows. */
interface WrittenRows {
  n: number;
  rows: string | null;
}

async function written<Row>(db: Db, statement: RawBuilder<WrittenRows>): Promise<Written<Page<Row>>> {
  const [[n, rows] = []] = await readBytes(db, statement);
  return pageOf(n?.toString('latin1') ?? 0, rows ?? null);
}

const fromPlace = (what: string): RawBuilder<number> => sql`(select ${sql.ref(what)} from place)`;
const upToEnd = ({ offset, pageSize }: Stretch): RawBuilder<number> =>
  sql`(select greatest(0, least(${pageSize}::bigint, n - ${offset}::bigint)) from place)`;

const withCount = <Row>(db: Db, count: RawBuilder<{ n: number }>, rows: Rows<Row>) =>
  written<Row>(
    db,
    sql`select counted.n, page.rows from (${count}) as counted left join ${rowsOf(rows)} as page on true`,
  );

/** Rows as the database writes them, in one statement with how many there are. */
const asJson = <Row>(): Reading<Row, Written<Page<Row>>> => ({
  together: withCount,
  few: (db, count, rowsFrom) => withCount(db, count, rowsFrom(sql.ref('counted.n'))),
  upTo(db, count, stretch, rowsFrom) {
    const rows = rowsFrom({ skip: stretch.offset, limit: upToEnd(stretch), most: stretch.pageSize });
    return written(
      db,
      sql`with place as materialized (${count}) select place.n, page.rows from place left join ${rowsOf(rows)} as page on true`,
    );
  },
  placed(db, place, stretch, rowsFrom) {
    const [bound, skip, total] = [fromPlace('bound'), fromPlace('skip'), fromPlace('n')];
    const rows = rowsFrom({ bound, skip, limit: upToEnd(stretch), total });
    return written(
      db,
      sql`with place as materialized (select "totalCount" as n, bound, skip from (${place}) as found)
        select place.n, page.rows from place left join ${rowsOf(rows)} as page on true`,
    );
  },
  async rows(db, totalCount, rows, backwards) {
    const found = sql<WrittenRows>`select ${totalCount}::bigint as n, page.rows from ${rowsOf(backwards ? turned(rows) : rows)} as page`;
    return written(db, found);
  },
  none: (totalCount) => pageOf(totalCount, null),
});

/** All rows of a list without pages, as JSON that the database writes. */
export async function writtenRows<Row>(db: Db, rows: Rows<Row>): Promise<Written<Row[]>> {
  const [[all] = []] = await readBytes(db, sql`select listed.rows from ${rowsOf(rows)} as listed`);
  return new Written([Buffer.from('['), ...(all ? [all] : []), Buffer.from(']')]);
}

/** A page as JSON that the database writes, or as a stream of the wanted values for a file. */
export const asWritten = <Row>(wanted?: Wanted): Reading<Row, Written<Page<Row>>> =>
  wanted ? asFile(wanted) : asJson();
