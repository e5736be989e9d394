import { sql } from 'kysely';
import type { GamePage } from '#contract/game-pages.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { isLate } from '../draw-plans/unawaited-plans.ts';
import { findShownGame } from '../games/game-store.ts';
import { currentPhase } from '../slips/current-phase.ts';

/** What of a game waits for its result, and how its sources are. */
async function standing(db: Db, gameId: number) {
  const { rows } = await sql<GamePage['plans'] & GamePage['sources']>`
    select p.opening, p.late, s.enabled, s.failing
    from (select count(*) as opening, count(*) filter (where ${isLate}) as late from draw_plan
        where status = 'OPENING' and "gameId" = ${gameId}) p,
      (select count(*) as enabled, count(*) filter (where "consecutiveFailures" > 0) as failing from spider
        where "gameId" = ${gameId} and enabled) s`.execute(db);
  const { opening = 0, late = 0, enabled = 0, failing = 0 } = rows[0] ?? {};
  return { plans: { opening, late }, sources: { enabled, failing } };
}

export const gamePagesHandlers = handlers({
  getGamePage: async ({ db, now, config }, { id }) => {
    const [game, current, rest] = await Promise.all([
      findShownGame(db, { now, timeZone: config.timeZone }, id),
      currentPhase(db, id, now),
      standing(db, id),
    ]);
    if (!game || !current) throw new Refusal('absent', { field: 'id', values: { what: '游戏' } });
    return { game, current, ...rest };
  },
});
