import { sql } from 'kysely';
import type { Db } from './database.ts';

/** How far a log goes, and which one: each promotion begins a new timeline, and positions on different ones compare to nothing. */
export interface Position {
  readonly at: number;
  readonly timeline: number;
}

/** Up to where a primary has committed. */
export const written = async (db: Db): Promise<Position> => {
  const { rows } = await sql<Position>`
    select pg_wal_lsn_diff(lsn, '0/0')::bigint as at, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline
    from pg_current_wal_flush_lsn() as lsn`.execute(db);
  return rows[0] ?? { at: Number.POSITIVE_INFINITY, timeline: 0 };
};

/** Up to where a standby can be read; its timeline is that of its last checkpoint, behind which it never goes back. */
export const replayed = async (db: Db): Promise<Position> => {
  const { rows } = await sql<Position>`
    select coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), -1)::bigint as at, timeline_id as timeline
    from pg_control_checkpoint()`.execute(db);
  return rows[0] ?? { at: -1, timeline: 0 };
};

/** Whether everything up to a position can be seen. */
export const holds = (there: Position, wanted: Position): boolean =>
  there.timeline === wanted.timeline && there.at >= wanted.at;
