import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A number of a phase whose exposure is not what its slips come to. */
export interface WrongExposure {
  readonly gameId: number;
  readonly phase: string;
  readonly number: string;
}

/** Adds up the lines of the phases of the last seven days once more, from their copies of the rules, and compares with what was kept. */
export async function wrongExposure(db: Db): Promise<WrongExposure[]> {
  const { rows } = await sql<WrongExposure>`
    with line as (
      select s."gameId", s.phase, l.*, r.rules, r."cellSeparator" is not null as "isSplit"
      from draw_plan p join slip s on s."gameId" = p."gameId" and s.phase = p.phase
        join slip_line l on l."slipId" = s.id join slip_rules r on r.id = l."rulesId"
      where p."endTime" > now() - interval '7 days' and not s."testAccount" and l.status not in ('CANCELLED', 'VOID')
    ), wanted as (
      select "gameId", phase, "playWayId", n.number, sum("unitStake") as stake, count(*) as units,
        sum(least(trunc("unitStake" * (o.row ->> 'odds')::numeric, 4), (rules #>> '{caps,unit}')::numeric,
          (rules #>> '{caps,line}')::numeric)) as payout
      from line, unnest(string_to_array(selection, rules ->> 'separator')) as n (number)
        join lateral jsonb_array_elements(rules -> 'odds') as o (row) on o.row ->> 'number' = n.number
      where "isSplit" group by 1, 2, 3, 4
      union all
      select "gameId", phase, "playWayId", '', sum(stake), sum(units), sum("maxPayout") from line where not "isSplit" group by 1, 2, 3
    ), kept as (
      select "gameId", phase, "playWayId", number, sum(stake) as stake, sum(units) as units, sum(payout) as payout from (
        select "gameId", phase, "playWayId", number, stake, units, payout from exposure
        union all select "gameId", phase, "playWayId", number, stake, units, payout from exposure_delta) as e
      where exists (select from draw_plan p where p."gameId" = e."gameId" and p.phase = e.phase and p."endTime" > now() - interval '7 days')
      group by 1, 2, 3, 4 having sum(units) <> 0 or sum(stake) <> 0 or sum(payout) <> 0
    )
    select "gameId", phase, number from wanted w full join kept k using ("gameId", phase, "playWayId", number)
    where (w.stake, w.units, w.payout) is distinct from (k.stake, k.units, k.payout) order by 1, 2, 3 limit 1000`.execute(
    db,
  );
  return rows;
}
