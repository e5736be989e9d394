import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * A list whose rows are counted as they are written (see migrations/0062-list-counts-by-time.sql), so that totals and deep
 * pages cost the same however long it is. The table has an `id`, a trigger that counts it, and an index on its time.
 */
export interface CountedList {
  /** The table, which is also the list's name in `counted_list`. */
  readonly table: string;
  /** The column whose time rows are counted by; `createTime` unless given. */
  readonly time?: string;
  /** Of a list with keys: what holds exactly for rows of these keys (absent: of all), in a form that serves an index with the time. */
  readonly ofKeys?: (keys: readonly string[] | undefined) => RawBuilder<boolean>;
}

/** What part of a counted list is meant: of certain keys (all when absent), of a range of time (both ends inclusive). */
export interface CountedPart {
  readonly keys?: readonly string[] | undefined;
  readonly range?: readonly [from: string, to: string] | undefined;
}

/** A place in a list from its newest row on: skip `skip` rows of those with `id <= bound`. */
export interface Place {
  readonly bound: number;
  readonly skip: number;
}

const keyIn = ({ keys }: CountedPart): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`key = '*'`;
const deltaKeyIn = ({ keys }: CountedPart): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`true`;

/** How many rows a part that knows no range has, exactly. */
export async function countRows(db: Db, { table }: CountedList, part: CountedPart): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (coalesce((select sum(n) from list_count where list = ${table} and ${keyIn(part)} and "timeBits" = 63 and "idBits" = 18), 0)
      + coalesce((select sum(n) from list_delta where list = ${table} and ${deltaKeyIn(part)}), 0))::bigint as n`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** The range as blocks of time; without a range the one block of all time. */
function blocksOf({ table }: CountedList, { range }: CountedPart): RawBuilder<unknown> {
  if (!range) return sql`select 63 as bits, 0::bigint as first, 0::bigint as last`;
  return sql`select b.* from counted_list l, time_blocks(${range[0]}::timestamptz, ${range[1]}::timestamptz, l."timeBits") as b
    where l.list = ${table} and b.first <= b.last`;
}

/** Rows that are not folded yet, and rows at the ends of the range, by the smallest block of ids. */
function unfolded(
  { table, time = 'createTime', ofKeys }: CountedList,
  part: CountedPart,
): RawBuilder<unknown> {
  const deltas = sql`select "idBlock" as block, n from list_delta where list = ${table} and ${deltaKeyIn(part)}`;
  if (!part.range) return deltas;
  const at = sql.ref(`t.${time}`);
  return sql`${deltas} and exists (select from blocks b where b.bits > 0 and "timeBlock" >> b.bits - 10 between b.first and b.last)
    union all
    select e.block, e.n from blocks b, lateral (
      select t.id >> 11 as block, count(*) as n from ${sql.table(table)} as t
      where ${at} >= to_timestamp(b.first) and ${at} < to_timestamp(b.last + 1) and ${ofKeys ? ofKeys(part.keys) : sql`true`} group by 1) as e
    where b.bits = 0`;
}

/**
 * How many rows a part of a list has, exactly, and where row number `offset` (from 0, newest id first) is: nothing past the
 * end. Rows are summed up by blocks of 2^18 ids from the newest on, then by the blocks of 2^11 inside the one found.
 */
export async function locate(
  db: Db,
  list: CountedList,
  part: CountedPart,
  offset: number,
): Promise<{ totalCount: number; place: Place | undefined }> {
  const counted = (idBits: number, where: RawBuilder<unknown>) => sql`
    select c."idBlock" as block, c.n from blocks b, list_count c where c.list = ${list.table} and ${keyIn(part)}
      and c."timeBits" = b.bits and c."idBits" = ${sql.lit(idBits)} and c."timeBlock" between b.first and b.last and ${where}`;
  const { rows } = await sql<{ totalCount: number; bound: number | null; skip: number | null }>`
    with blocks as materialized (${blocksOf(list, part)}),
    live as materialized (${unfolded(list, part)}),
    big as materialized (
      select block, n, sum(n) over (order by block desc) - n as before from (
        select block, sum(n) as n from (${counted(18, sql`true`)} union all select block >> 7, n from live) as b
        group by block) as s),
    hit as materialized (select block << 7 as lowest, before from big where before + n > ${offset} and before <= ${offset}),
    small as (
      select block, n, before + sum(n) over (order by block desc) - n as before from (
        select block, sum(n) as n, min(before) as before from (
          select c.block, c.n, hit.before from hit, lateral (${counted(11, sql`c."idBlock" between hit.lowest and hit.lowest + 127`)}) as c
          union all select live.block, live.n, hit.before from hit, live where live.block between hit.lowest and hit.lowest + 127) as b
        group by block) as s)
    select (select coalesce(sum(n), 0) from big)::bigint as "totalCount", ((small.block + 1) << 11) - 1 as bound,
      (${offset} - small.before)::bigint as skip
    from (values (1)) as one left join small on small.before + small.n > ${offset} and small.before <= ${offset}`.execute(
    db,
  );
  const { totalCount = 0, bound = null, skip = null } = rows[0] ?? {};
  return { totalCount, place: bound === null || skip === null ? undefined : { bound, skip } };
}

/** The page an operator asked for. */
export interface Paging {
  readonly currentPage: number;
  readonly pageSize: number;
}

/** Where a page's rows begin: `bound` is absent when nothing has to be jumped over. */
export interface Start {
  readonly bound?: number;
  readonly skip: number;
  readonly limit: number;
}

/** Up to here reading and dropping rows is cheaper than looking up where they end. */
const NEAR_ROWS = 1_000;

/** A page of a part of a counted list: `rowsFrom` reads the rows themselves, newest id first. */
export async function countedPage<Row>(
  db: Db,
  list: CountedList,
  part: CountedPart,
  { currentPage, pageSize }: Paging,
  rowsFrom: (start: Start) => Promise<Row[]>,
): Promise<{ totalCount: number; data: Row[] }> {
  const offset = (currentPage - 1) * pageSize;
  // Never more rows than there are: looking for one more would read on to the list's beginning.
  const limit = (totalCount: number) => Math.min(pageSize, totalCount - offset);
  // A range may lie far back, so that its first row has to be looked up too.
  if (!part.range && offset < NEAR_ROWS) {
    const totalCount = await countRows(db, list, part);
    if (offset >= totalCount) return { totalCount, data: [] };
    return { totalCount, data: await rowsFrom({ skip: offset, limit: limit(totalCount) }) };
  }
  const { totalCount, place } = await locate(db, list, part, offset);
  if (!place) return { totalCount, data: [] };
  return { totalCount, data: await rowsFrom({ ...place, limit: limit(totalCount) }) };
}

/** Folds what writers appended; to be called every second or so by one server, and harmless by more. Returns whether there was anything. */
export async function foldCounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ folded: number | null }>`select fold_list_deltas() as folded`.execute(db);
  const folded = rows[0]?.folded ?? 0;
  // Readers walk over the dead rows until they are swept away, and the database's own sweeper comes once a minute.
  if (folded > 0) await sql`vacuum list_delta`.execute(db);
  return folded > 0;
}
