import { sql } from 'kysely';
import type { Exposure } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { foldDeltas } from '#server/db/fold-deltas.ts';
import { type LineRules, readLineRules } from '../bets/line-rules.ts';

/** Folds what slips appended; tells how many deltas there were. */
export const foldExposure = (db: Db, goesOn?: () => boolean) => foldDeltas(db, 'fold_exposure', goesOn);

const cells = (gameId: number, phase: string) => sql`(
  select "playWayId", "rulesId", number, stake, units, payout from exposure where "gameId" = ${gameId} and phase = ${phase}
  union all
  select "playWayId", "rulesId", number, stake, units, payout from exposure_delta where "gameId" = ${gameId} and phase = ${phase}) as e`;

/**
 * Every number of a phase that is bet on, play way by play way; before caps of slips and players, and before stakes that come back with
 * it.
 */
export async function listNumbers(db: Db, gameId: number, phase: string): Promise<Exposure[]> {
  const { rows } = await sql<Exposure>`
    with cell as materialized (
      select "playWayId", number, max("rulesId") as "rulesId", sum(stake) as stake, sum(units)::bigint as units, sum(payout) as payout
      from ${cells(gameId, phase)} group by 1, 2
    ), way as (
      select "playWayId", sum(stake) as stake, max("rulesId") as "rulesId" from cell group by 1
    )
    select way."playWayId", r."playWayName", coalesce(nullif(number, ''), r."playWayName") as number, as_money(cell.stake) as stake, units,
      as_money(payout) as payout, as_money(way.stake - payout) as result
    from cell join way using ("playWayId") join slip_rules r on r.id = way."rulesId"
    where cell.units <> 0 order by way."playWayId", number`.execute(db);
  return rows;
}

/** Numbers and what was chosen of a phase, each with the copy of rules it goes by. */
export interface Exposed {
  readonly playWayId: number;
  /** Whether some draw gives stakes on the play way back. */
  readonly mayPush: boolean;
  readonly rulesId: number;
  readonly number: string;
  readonly stake: string;
  readonly payout: string;
}
export interface ExposedChoice {
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
}

export async function exposedNumbers(db: Db, gameId: number, phase: string): Promise<Exposed[]> {
  const { rows } = await sql<Exposed>`
    select e."playWayId", "rulesId", number, "mayPush", sum(stake) as stake, sum(payout) as payout
    from ${cells(gameId, phase)} join slip_rules r on r.id = "rulesId" group by 1, 2, 3, 4 having sum(units) <> 0`.execute(
    db,
  );
  return rows;
}

/** At most so many as `limit`. */
export async function exposedChoices(
  db: Db,
  { gameId, phase, limit }: { gameId: number; phase: string; limit: number },
): Promise<ExposedChoice[]> {
  const { rows } = await sql<ExposedChoice>`
    select "rulesId", selection, sum("unitStake") as "unitStake" from (
      select "rulesId", selection, "unitStake" from exposure_choice where "gameId" = ${gameId} and phase = ${phase}
      union all
      select "rulesId", selection, "unitStake" from exposure_delta
      where "gameId" = ${gameId} and phase = ${phase} and selection is not null) as e
    group by 1, 2 having sum("unitStake") <> 0 limit ${limit}`.execute(db);
  return rows;
}

/** The copies of rules by their ids. */
export async function keptRules(db: Db, ids: readonly number[]): Promise<Map<number, LineRules>> {
  const { rows } = await sql<{ id: number; rules: unknown }>`
    select id, rules from slip_rules where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, rules }) => [id, readLineRules(rules)]));
}
