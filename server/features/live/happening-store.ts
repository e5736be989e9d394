import { sql } from 'kysely';
import type { Happening } from '#contract/happenings.ts';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import { given } from '#server/given.ts';
import type { Cursor } from './cursor.ts';

/** A happening with the transaction it came in. */
export interface Stored extends Happening {
  readonly xid: string;
}

interface Read {
  at: number;
  snapshot: string;
  news: Stored[];
}

/** The newest so many; who has missed more reads the lists again. */
export const MOST_REMEMBERED = 20_000;

/**
 * What a snapshot did not see, in the order of its transactions, and the snapshot it was read in; all that is kept, without one. A row of a
 * restored dump bears a number that this database has not reached, and is left out.
 */
export async function readSince(db: Db, since: Pick<Cursor, 'snapshot'> | undefined): Promise<Read> {
  const before = sql`${since?.snapshot ?? '1:1:'}::pg_snapshot`;
  const { rows } = await sql<Read>`
    select extract(epoch from clock_timestamp())::bigint as at, pg_current_snapshot()::text as snapshot, coalesce((
      select json_agg(json_build_object('xid', n.xid::text, 'noun', n.noun, 'id', n."rowId", 'what', n.what,
        'userId', n."userId", 'gameId', n."gameId", 'status', n.status) order by n.xid, n.id)
      from (
        select * from happening h
        where h.xid >= pg_snapshot_xmin(${before})::text::bigint
          and not pg_visible_in_snapshot(h.xid::text::xid8, ${before})
          and pg_visible_in_snapshot(h.xid::text::xid8, pg_current_snapshot())
        order by h.xid desc, h.id desc limit ${MOST_REMEMBERED}) n), '[]') as news`.execute(db);
  return given(rows[0]);
}

/** Rows are told within a second; an hour is for whoever looks after a fault. */
export const deleteOldHappenings = (db: Db, most: number): Promise<number> =>
  deleteSome(db, most, {
    table: 'happening',
    key: ['xid', 'id'],
    where: sql`"createTime" < now() - interval '1 hour'`,
    order: ['xid', 'id'],
  });
