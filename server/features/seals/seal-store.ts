import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Block } from './block.ts';
import { hashedRows, type SealKind, sealedKinds, sealKinds } from './seal-kinds.ts';

/** Rows of a block at most. */
export const BLOCK_ROWS = 4096;

export interface Head {
  kind: SealKind;
  /** Of the last block; 0 before the first. */
  no: number;
  /** Rows sealed so far. */
  rows: number;
  mac: Buffer;
  /** Up to which id everything is sealed but what is late. */
  through: number;
}

/** Below the first id of any table. */
const NOTHING = Number.MIN_SAFE_INTEGER;

/** Where the seals of kinds end. */
export async function readHeads(db: Db, kinds: readonly SealKind[] = sealKinds): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select kind, coalesce(h.no, 0) as no, coalesce(h."firstNo" + h.rows - 1, 0) as rows, coalesce(h.mac, '') as mac,
      coalesce((select max("toId") from seal s where s.kind = k.kind and not late), ${NOTHING}::bigint) as through
    from unnest(${[...kinds]}::text[]) with ordinality as k (kind, place)
      left join lateral (select no, "firstNo", rows, mac from seal s where s.kind = k.kind order by no desc limit 1) h on true
    order by place`.execute(db);
  return rows;
}

/**
 * The kinds with rows after their heads or with rows that may still come. It is the last id that is compared: whether there is a row after one
 * that the statement does not tell, the database would look for among all of them, since it believes that a third of them are.
 */
export async function kindsDue(db: Db, heads: readonly Head[]): Promise<SealKind[]> {
  const each = heads.map(
    ({ kind, through }) => sql`select ${kind}::text as kind
      where (select max(id) from ${sql.table(sealedKinds[kind].table)}) > ${through}::bigint`,
  );
  const { rows } = await sql<{ kind: SealKind }>`
    ${sql.join([...each, sql`select kind from seal_gap`], sql` union `)}`.execute(db);
  return rows.map(({ kind }) => kind);
}

/** What is gathered of a block's rows before it is numbered. */
export type Gathered = Omit<Block, 'kind' | 'no' | 'firstNo' | 'late'> & {
  marks: Buffer;
  /** Ids within it that are not there, as a multirange. */
  gaps: string | null;
};

const gathered = sql`
  min(id) as "fromId", max(id) as "toId", count(*)::integer as rows,
  floor(extract(epoch from min(at)))::bigint as "fromTime", floor(extract(epoch from max(at)))::bigint as "toTime",
  floor(extract(epoch from clock_timestamp()))::bigint as "createTime",
  sha256(string_agg(hash, ''::bytea order by id)) as digest,
  string_agg(int8send(id) || substr(hash, 1, 4), ''::bytea order by id) as marks,
  (range_agg(int8range(before + 1, id)) filter (where id > before + 1))::text as gaps`;

/** The next rows of a kind after an id, in blocks. */
export async function gatherNext(db: Db, kind: SealKind, after: number, limit: number): Promise<Gathered[]> {
  const next = hashedRows(kind, sql`r.id > ${after}::bigint order by r.id limit ${limit}`);
  const { rows } = await sql<Gathered>`
    with hashed as materialized (${next}), placed as (
      select *, (row_number() over (order by id) - 1) / ${BLOCK_ROWS} as block,
        lag(id, 1, case ${after}::bigint when ${NOTHING} then id - 1 else ${after} end) over (order by id) as before
      from hashed
    )
    select ${gathered}, sha256(string_agg(int8send(id) || substr(hash, 1, 4), ''::bytea order by id)) as "marksHash"
    from placed group by block order by 1`.execute(db);
  return rows;
}

interface Gap {
  id: number;
  ids: string;
  writers: string[];
}

export const readGaps = async (db: Db, kind: SealKind): Promise<Gap[]> =>
  (await sql<Gap>`select id, ids, writers from seal_gap where kind = ${kind} order by id`.execute(db)).rows;

/** The transactions that write to a kind's table now. Whoever is gone from here has committed what others see, or nothing. */
export async function readWriters(db: Db, kind: SealKind): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${sealedKinds[kind].table}::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
}

/** The rows that have come with ids of these gaps; one block at most. */
export async function gatherLate(
  db: Db,
  kind: SealKind,
  gaps: readonly Gap[],
): Promise<Gathered | undefined> {
  const late = hashedRows(
    kind,
    sql`r.id in (select x.id from unnest(${gaps.map(({ ids }) => ids)}::text[]) as g,
      unnest(g::int8multirange) as each, lateral (select id from ${sql.table(sealedKinds[kind].table)}
        where id >= lower(each) and id < upper(each) limit ${BLOCK_ROWS}) as x) limit ${BLOCK_ROWS}`,
  );
  const { rows } = await sql<Gathered>`
    with hashed as materialized (${late}), placed as (select *, id - 1 as before from hashed)
    select ${gathered}, sha256(string_agg(int8send(id) || substr(hash, 1, 4), ''::bytea order by id)) as "marksHash"
    from placed having count(*) > 0`.execute(db);
  return rows[0];
}

/** After what came was sealed: gaps whose writers are all gone are given up, and what came is no gap any more. */
export async function closeGaps(
  db: Db,
  kind: SealKind,
  gaps: readonly Gap[],
  { alive, came }: { alive: readonly string[]; came: string },
) {
  const [over, open] = [gaps.filter(gone), gaps.filter((gap) => !gone(gap))];
  function gone({ writers }: Gap): boolean {
    return !writers.some((writer) => alive.includes(writer));
  }
  await sql`delete from seal_gap where id = any(${over.map(({ id }) => id)}::bigint[])
    or kind = ${kind} and ids::int8multirange - ${came}::text::int8multirange = '{}'`.execute(db);
  if (came !== '{}' && open.length > 0)
    await sql`update seal_gap set ids = (ids::int8multirange - ${came}::text::int8multirange)::text
      where id = any(${open.map(({ id }) => id)}::bigint[]) and ids::int8multirange && ${came}::text::int8multirange`.execute(
      db,
    );
}

export const openGap = (db: Db, kind: SealKind, ids: readonly string[], writers: readonly string[]) =>
  sql`insert into seal_gap (kind, ids, writers)
    select ${kind}, range_agg(each)::text, ${[...writers]}::text[] from unnest(${[...ids]}::text[]) as g, unnest(g::int8multirange) as each`.execute(
    db,
  );

export type SealedBlock = Block & { marks: Buffer; mac: Buffer };

export async function insertBlocks(db: Db, blocks: readonly SealedBlock[]): Promise<void> {
  const of = <T>(value: (block: SealedBlock) => T): T[] => blocks.map(value);
  const hex = (value: (block: SealedBlock) => Buffer) => of((block) => value(block).toString('hex'));
  await sql`
    insert into seal (kind, no, "firstNo", rows, "fromId", "toId", late, "fromTime", "toTime", "createTime", digest, marks, mac)
    select kind, no, first, rows, low, high, late::boolean, to_timestamp(since), to_timestamp(until), to_timestamp(made),
      decode(digest, 'hex'), decode(marks, 'hex'), decode(mac, 'hex')
    from unnest(${of(({ kind }) => kind)}::text[], ${of(({ no }) => no)}::bigint[], ${of(({ firstNo }) => firstNo)}::bigint[],
      ${of(({ rows }) => rows)}::integer[], ${of(({ fromId }) => fromId)}::bigint[], ${of(({ toId }) => toId)}::bigint[],
      ${of(({ late }) => String(late))}::text[], ${of(({ fromTime }) => fromTime)}::bigint[], ${of(({ toTime }) => toTime)}::bigint[],
      ${of(({ createTime }) => createTime)}::bigint[], ${hex(({ digest }) => digest)}::text[], ${hex(({ marks }) => marks)}::text[],
      ${hex(({ mac }) => mac)}::text[]) as b (kind, no, first, rows, low, high, late, since, until, made, digest, marks, mac)`.execute(
    db,
  );
}
