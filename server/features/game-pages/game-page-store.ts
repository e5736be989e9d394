import { sql } from 'kysely';
import type { GamePage } from '#contract/game-pages.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { isLate } from '../draw-plans/unawaited-plans.ts';

/** What of a game waits for its result, and how its sources are. */
export async function standingOf(db: Db, gameId: number) {
  const { rows } = await sql<GamePage['plans'] & GamePage['sources']>`
    select p.opening, p.late, s.enabled, s.failing
    from (select count(*) as opening, count(*) filter (where ${isLate}) as late from draw_plan
        where status = 'OPENING' and "gameId" = ${gameId}) p,
      (select count(*) as enabled, count(*) filter (where "consecutiveFailures" > 0) as failing from spider
        where "gameId" = ${gameId} and enabled) s`.execute(db);
  const { opening, late, enabled, failing } = given(rows[0]);
  return { plans: { opening, late }, sources: { enabled, failing } };
}
