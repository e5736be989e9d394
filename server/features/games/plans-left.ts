import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Context } from '#server/http/handler.ts';
import { numberedRuns } from '../draw-plans/numbering.ts';
import { countUnlike } from '../draw-plans/plan-rows.ts';
import { findPlannedGame } from '../draw-plans/planned-game.ts';

/** The end of the last day that a game has plans to come for, in epoch seconds; null without any. */
async function plannedUntil(db: Db, gameId: number, now: Date): Promise<number | null> {
  const { rows } = await sql<{ until: number | null }>`
    select extract(epoch from date_trunc('day', max("startTime")) + interval '1 day')::float8 as until from draw_plan
    where "gameId" = ${gameId} and status = 'WAITTING' and "startTime" > ${now}::timestamptz`.execute(db);
  return rows[0]?.until ?? null;
}

async function unlikePlans({ db, now }: Context, gameId: number): Promise<number> {
  const game = await findPlannedGame(db, gameId);
  const until = await plannedUntil(db, gameId, now);
  if (!game || until === null) return 0;
  const runs = numberedRuns(game, Math.floor(now.getTime() / 1000), until);
  return countUnlike(db, { gameId, runs, now });
}

/**
 * Makes a change of what plans follow from. Plans that are there stay as they are: the answer, `word` otherwise, says how many are not as they
 * would be made now, where the change left some so.
 */
export async function tellingOfPlans<T>(
  context: Context,
  gameId: number,
  word: string,
  change: () => Promise<T>,
): Promise<T> {
  const before = await unlikePlans(context, gameId);
  const done = await change();
  const left = await unlikePlans(context, gameId);
  if (left > 0 && left !== before)
    context.say(`${word}，已有的开奖计划有 ${left} 期与现在的设置不符，请在“开奖计划”中重新生成`);
  return done;
}
