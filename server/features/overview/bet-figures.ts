import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { isBigWin } from '../settlements/holds.ts';

/** Settlements that wait for a person, with the wins that they hold for a look. */
async function heldFigures(db: Db): Promise<NonNullable<Overview['settlements']>> {
  const { rows } = await sql<NonNullable<Overview['settlements']>>`
    select count(*) as count, coalesce(sum((
      select count(*) from slip_hold h where h."settlementId" = s.id and ${isBigWin})), 0)::integer as "bigWins"
    from settlement s where s.status = 'HELD'`.execute(db);
  return given(rows[0]);
}

/** The rebates that wait to be released, of which there is one day at a time. */
async function preparedFigures(db: Db): Promise<Overview['rebates']> {
  const { rows } = await sql<NonNullable<Overview['rebates']>>`
    select to_char(day, 'YYYY-MM-DD') as day, as_money(rebate + returned + invited) as amount
    from rebate_run where status = 'PREPARED'`.execute(db);
  return rows[0] ?? null;
}

const SHOWN_PROBLEMS = 20;

/** What the last proof of all bets found wrong; nothing where it found nothing, or none has ended yet. */
async function proofFigures(db: Db): Promise<Overview['betsProof']> {
  const { rows } = await sql<NonNullable<Overview['betsProof']>>`
    select to_char(day, 'YYYY-MM-DD') as day, slips, broken, problems[1:${sql.lit(SHOWN_PROBLEMS)}] as problems
    from (select * from bets_proof where "endTime" is not null order by day desc limit 1) as last where broken > 0`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** What waits of bets, and what their proof found. */
export async function betFigures(db: Db): Promise<Pick<Overview, 'settlements' | 'rebates' | 'betsProof'>> {
  const [settlements, rebates, betsProof] = await Promise.all([
    heldFigures(db),
    preparedFigures(db),
    proofFigures(db),
  ]);
  return { settlements, rebates, betsProof };
}
