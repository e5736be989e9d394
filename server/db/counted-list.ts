import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from './database.ts';
import { foldDeltas } from './fold-deltas.ts';

/**
 * A list whose rows are counted as they are written (see migrations/0062-list-counts-by-time.sql), so that totals and deep
 * pages cost the same however long it is. The table has an `id`, a trigger that counts it, and an index on its time.
 */
export interface CountedList {
  /** The table, which is also the list's name in `counted_list`. */
  readonly table: string;
  /** The column whose time rows are counted by; `createTime` unless given. */
  readonly time?: string;
  /** Ids follow the time: rows of a range are read in the order of their ids, however few they are. */
  readonly byIds?: boolean;
  /** For a list with keys: the condition on rows of these keys (of all, if absent), in a form that an index with the time serves. */
  readonly ofKeys?: (keys: readonly string[] | undefined) => RawBuilder<SqlBool>;
}

/** A part of a counted list: rows of certain keys (all, if absent) within a range of time (both ends inclusive). */
export interface CountedPart {
  readonly keys?: readonly string[] | undefined;
  readonly range?: readonly [from: string, to: string] | undefined;
  /** Its rows lie scattered among many others, so that even the beginning of the first page is looked up. */
  readonly scattered?: boolean;
}

/** A place in a list, newest row first: skip `skip` rows of those with `id <= bound`. */
export interface Place {
  readonly bound: number;
  readonly skip: number;
}

const keyIn = ({ keys }: CountedPart): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`key = '*'`;
const deltaKeyIn = ({ keys }: CountedPart): RawBuilder<boolean> =>
  keys ? sql<boolean>`key = any(${keys}::text[])` : sql<boolean>`true`;

/** The statement that counts the rows of a part without a range. */
export const counting = ({ table }: CountedList, part: CountedPart): RawBuilder<{ n: number }> => sql`
  select (coalesce((select sum(n) from list_count where list = ${table} and ${keyIn(part)} and "timeBits" = 63 and "idBits" = 63), 0)
    + coalesce((select sum(n) from list_delta where list = ${table} and ${deltaKeyIn(part)}), 0))::bigint as n`;

/** The exact number of rows of a part without a range. */
export async function countRows(db: Db, list: CountedList, part: CountedPart): Promise<number> {
  const { rows } = await counting(list, part).execute(db);
  return rows[0]?.n ?? 0;
}

/** Counts from the table the rows of the single seconds at the ends of a range, by blocks of ids. */
function edgesOf(
  { table, time = 'createTime', ofKeys }: CountedList,
  { keys, range }: CountedPart,
): RawBuilder<unknown> {
  if (!range) return sql`select null::bigint[] as blocks, null::bigint[] as counts`;
  const at = sql.ref(`t.${time}`);
  return sql`
    select array_agg(e.block) as blocks, array_agg(e.n) as counts
    from counted_list l, time_blocks(${range[0]}::timestamptz, ${range[1]}::timestamptz, l."timeBits") as b, lateral (
      select t.id >> 9 as block, count(*) as n from ${sql.table(table)} as t
      where ${at} >= to_timestamp(b.first) and ${at} < to_timestamp(b.last + 1) and ${ofKeys?.(keys) ?? sql`true`} group by 1) as e
    where l.list = ${table} and b.bits = 0 and b.first <= b.last`;
}

/** A looked-up place, and how many rows there are; the place is null past the end. */
export interface PlaceRow {
  readonly totalCount: number;
  readonly bound: number | null;
  readonly skip: number | null;
}

/**
 * The statement that gives the exact number of rows of a part, and the place of row number `offset` (from 0, newest id first). See
 * `locate_rows` in schema.sql.
 */
export function placing(list: CountedList, part: CountedPart, offset: number): RawBuilder<PlaceRow> {
  const [from, to] = part.range ?? [null, null];
  return sql`
    select r."totalCount", r.bound, r.skip from (${edgesOf(list, part)}) as edge, locate_rows(${list.table}, ${part.keys ?? null}::text[],
      ${from}::timestamptz, ${to}::timestamptz, ${offset}::bigint, edge.blocks, edge.counts) as r`;
}

/** The number of rows of a part, and the place of row number `offset`; undefined past the end. */
export async function locate(
  db: Db,
  list: CountedList,
  part: CountedPart,
  offset: number,
): Promise<{ totalCount: number; place: Place | undefined }> {
  const { rows } = await placing(list, part, offset).execute(db);
  const { totalCount = 0, bound = null, skip = null } = rows[0] ?? {};
  return { totalCount, place: bound === null || skip === null ? undefined : { bound, skip } };
}

/** A place in a list, earliest time first: skip `skip` rows of those at or after `since`, in epoch seconds. The row itself lies before `until`. */
export interface TimePlace {
  readonly since: number;
  readonly until: number;
  readonly skip: number;
}

/** The blocks of time of a part with their counts. */
const timeBlocks = ({ table }: CountedList, part: CountedPart, bits: RawBuilder<unknown>) => sql`
  select "timeBlock" as block, n from list_count
  where list = ${table} and ${keyIn(part)} and "timeBits" = ${bits} and "idBits" = 16`;

/** The place of row number `offset` (from 0, earliest time first) of certain keys, without regard to a range; undefined past the end. */
export async function locateByTime(
  db: Db,
  list: CountedList,
  part: CountedPart,
  offset: number,
): Promise<TimePlace | undefined> {
  const { rows } = await sql<TimePlace>`
    with finest as materialized (select "timeBits" as bits from counted_list where list = ${list.table}),
    live as materialized (
      select "timeBlock" as block, n from list_delta where list = ${list.table} and ${deltaKeyIn(part)}
    ), large as (
      select block, sum(n) as n from (${timeBlocks(list, part, sql`15`)} union all select block >> 5, n from live) as b group by 1
    ), hit as materialized (
      select block, before from (select *, sum(n) over (order by block) - n as before from large) as b
      where before <= ${offset} and before + n > ${offset}
    ), small as (
      select b.block, sum(b.n) as n from hit, finest, lateral (
        ${timeBlocks(list, part, sql`finest.bits`)} and "timeBlock" between hit.block << 15 - finest.bits and (hit.block + 1 << 15 - finest.bits) - 1
        union all select live.block >> finest.bits - 10, live.n from live where live.block >> 5 = hit.block) as b
      group by b.block
    )
    select (b.block << finest.bits)::bigint as since, (b.block + 1 << finest.bits)::bigint as until, (${offset} - b.before)::bigint as skip
    from finest, (select small.*, hit.before + sum(small.n) over (order by small.block) - small.n as before from hit, small) as b
    where b.before <= ${offset} and b.before + b.n > ${offset}`.execute(db);
  return rows[0];
}

/** Folds the deltas of lists into their counts. Several servers may do so at once. Returns how many deltas it folded. */
export const foldCounts = (db: Db, goesOn?: () => boolean) => foldDeltas(db, 'fold_list_deltas', goesOn);
