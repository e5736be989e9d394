import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Copies a slip that was placed so many times, for these players by turns, as if each had placed it; the ledger knows nothing of them. */
export async function copySlip(
  db: Db,
  slipId: number,
  users: readonly number[],
  count: number,
): Promise<void> {
  await sql`
    with copy as materialized (
      select nextval('slip_id_seq') as id, (${[...users]}::bigint[])[1 + n % ${users.length}::int] as "userId" from generate_series(1, ${count}::int) as n
    ), line as (
      insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
      select c.id, l."playWayId", l."rulesId", l.selection, l.units, l."unitStake", l.stake, l.odds, l."maxPayout"
      from copy c, slip_line l where l."slipId" = ${slipId}
    )
    insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
      "createTime")
    overriding system value
    select c.id, 'copy-' || c.id, c."userId", s."gameId", s."planId", s.phase, s."drawTime", s.stake, s."acceptOdds", s.agents, s."testAccount",
      s."contentHash", clock_timestamp()
    from copy c, slip s where s.id = ${slipId}`.execute(db);
}
