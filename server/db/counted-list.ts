import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * A list whose rows are counted as they are written (see migrations/0030-list-counts.sql), so that totals and deep pages
 * cost the same however long it is. The table has an `id` and a `createTime`, and a trigger that counts it.
 */
export interface CountedList {
  /** The table, which is also the list's name in `list_count`. */
  readonly table: string;
  /** The column whose days the trigger counts by; `createTime` unless given. */
  readonly time?: string;
  /** SQL over the table's columns that gives the key a row is counted under. */
  readonly key: RawBuilder<string>;
  /** Conditions that hold exactly for rows of these keys, best in a form an index serves. */
  readonly ofKeys: (keys: readonly string[]) => RawBuilder<boolean>;
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

interface WholeDays {
  readonly first: string;
  readonly last: string;
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The days that lie within a range from their first second to their last; `first > last` when there are none. */
function wholeDays([from, to]: readonly [string, string]): WholeDays {
  return {
    first: from.endsWith('00:00:00') ? from.slice(0, 10) : dayAfter(from.slice(0, 10), 1),
    last: to.endsWith('23:59:59') ? to.slice(0, 10) : dayAfter(to.slice(0, 10), -1),
  };
}

const keyIn = (keys: readonly string[] | undefined): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`key = '*'`;
const deltaKeyIn = (keys: readonly string[] | undefined): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`true`;

/** The stretches of a range outside its whole days, as conditions on the list's time; counted from the table itself. */
function edgesOf(
  { time = 'createTime' }: CountedList,
  { range }: CountedPart,
): RawBuilder<boolean> | undefined {
  if (!range) return undefined;
  const { first, last } = wholeDays(range);
  const column = sql.ref(time);
  const from = sql`${column} >= ${range[0]}::timestamptz`;
  const to = sql`${column} < ${range[1]}::timestamptz + interval '1 second'`;
  if (first > last) return sql<boolean>`(${from} and ${to})`;
  const head = sql<boolean>`(${from} and ${column} < ${first}::date::timestamptz)`;
  const tail = sql<boolean>`(${column} >= (${last}::date + 1)::timestamptz and ${to})`;
  const headless = first === range[0].slice(0, 10);
  const tailless = last === range[1].slice(0, 10);
  if (headless && tailless) return undefined;
  if (headless) return tail;
  return tailless ? head : sql<boolean>`(${head} or ${tail})`;
}

/** The days a sum runs over: all of them are one row. */
function daysOf({ range }: CountedPart): RawBuilder<boolean> {
  if (!range) return sql<boolean>`day = '-infinity'::date`;
  const { first, last } = wholeDays(range);
  return sql<boolean>`day between ${first}::date and ${last}::date`;
}
const deltaDaysOf = (part: CountedPart): RawBuilder<boolean> =>
  part.range ? daysOf(part) : sql<boolean>`true`;

/** Rows not folded yet, and rows of the range's edges, by smallest block. */
function unfolded(list: CountedList, part: CountedPart): RawBuilder<unknown> {
  const edges = edgesOf(list, part);
  const deltas = sql`select block, n from list_delta where list = ${list.table}
    and ${deltaKeyIn(part.keys)} and ${deltaDaysOf(part)}`;
  if (!edges) return deltas;
  const keys = part.keys ? sql`and ${list.ofKeys(part.keys)}` : sql``;
  return sql`${deltas} union all
    select id >> 11, count(*) from ${sql.table(list.table)} where ${edges} ${keys} group by 1`;
}

/** How many rows a part of a list has, exactly. */
export async function countRows(db: Db, list: CountedList, part: CountedPart): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (coalesce((select sum(n) from list_count where list = ${list.table} and ${keyIn(part.keys)} and bits = 63
        and ${daysOf(part)}), 0)
      + coalesce((select sum(n) from (${unfolded(list, part)}) as live (block, n)), 0))::bigint as n`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Where row number `offset` (from 0, newest id first) of a part of a list is; nothing past its end. First the blocks of
 * 2^18 ids are summed up from the newest, then the blocks of 2^11 inside the one found.
 */
export async function seek(
  db: Db,
  list: CountedList,
  part: CountedPart,
  offset: number,
): Promise<Place | undefined> {
  const counted = (bits: number, where: RawBuilder<unknown>) => sql`
    select block, n from list_count where list = ${list.table} and ${keyIn(part.keys)} and bits = ${sql.lit(bits)}
      and ${daysOf(part)} and ${where}`;
  const { rows } = await sql<Place>`
    with live (block, n) as materialized (${unfolded(list, part)}),
    big as (
      select block, n, sum(n) over (order by block desc) - n as before from (
        select block, sum(n) as n from (${counted(18, sql`true`)} union all select block >> 7, n from live) as b
        group by block) as s),
    hit as materialized (select block << 7 as lowest, before from big where before + n > ${offset} and before <= ${offset}),
    small as (
      select block, n, before + sum(n) over (order by block desc) - n as before from (
        select block, sum(n) as n, min(before) as before from (
          select c.block, c.n, hit.before from hit, lateral (${counted(11, sql`block between hit.lowest and hit.lowest + 127`)}) as c
          union all select live.block, live.n, hit.before from hit, live where live.block between hit.lowest and hit.lowest + 127) as b
        group by block) as s)
    select ((block + 1) << 11) - 1 as bound, (${offset} - before)::bigint as skip
    from small where before + n > ${offset} and before <= ${offset}`.execute(db);
  return rows[0];
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
  const totalCount = await countRows(db, list, part);
  if (offset >= totalCount) return { totalCount, data: [] };
  // Never more than there are: looking for one more would read on to the list's beginning.
  const limit = Math.min(pageSize, totalCount - offset);
  // A range may lie far back, so that its first row has to be looked up too.
  if (!part.range && offset < NEAR_ROWS) return { totalCount, data: await rowsFrom({ skip: offset, limit }) };
  const place = await seek(db, list, part, offset);
  return { totalCount, data: place ? await rowsFrom({ ...place, limit }) : [] };
}

/** Folds what writers appended; to be called every second or so by one server, and harmless by more. Returns whether there was anything. */
export async function foldCounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ folded: number | null }>`select fold_list_deltas() as folded`.execute(db);
  const folded = rows[0]?.folded ?? 0;
  // Readers walk over the dead rows until they are swept away, and the database's own sweeper comes once a minute.
  if (folded > 0) await sql`vacuum list_delta`.execute(db);
  return folded > 0;
}
