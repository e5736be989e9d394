import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import type { Db } from '#server/db/database.ts';

const SHOWN_PROBLEMS = 20;

/** What the last proof of all bets found wrong; nothing where it found nothing, or none has ended yet. */
export async function proofFigures(db: Db): Promise<Overview['betsProof']> {
  const { rows } = await sql<NonNullable<Overview['betsProof']>>`
    select to_char(day, 'YYYY-MM-DD') as day, slips, broken, problems[1:${sql.lit(SHOWN_PROBLEMS)}] as problems
    from (select * from bets_proof where "endTime" is not null order by day desc limit 1) as last where broken > 0`.execute(
    db,
  );
  return rows[0] ?? null;
}
