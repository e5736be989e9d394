import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Longer than between two looks of whoever watches, short enough to cost little. */
const LAST = '2 minutes';
/** No more records than this are looked at. */
const MOST = 5_000;

/** How long after its draw time the latest of the last two minutes' results was there: of local draws, and of all others. */
export async function drawLateness(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ local: number; other: number }>`
    with newest as materialized (select * from draw_record order by id desc limit ${MOST}),
    late as (
      select r.seed is not null as local, extract(epoch from r."createTime" - p."endTime")::float8 as seconds
      from newest r join draw_plan p on p."gameId" = r."gameId" and p.phase = r.phase
      where r."createTime" > clock_timestamp() - ${LAST}::interval)
    select coalesce(greatest(0, max(seconds) filter (where local)), 0) as local,
      coalesce(greatest(0, max(seconds) filter (where not local)), 0) as other from late`.execute(db);
  return { local: rows[0]?.local ?? 0, other: rows[0]?.other ?? 0 };
}
