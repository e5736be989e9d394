import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Context } from '#server/http/handler.ts';
import { type NumberedRun, numberedRuns } from '../draw-plans/numbering.ts';
import { countUnlike } from '../draw-plans/plan-rows.ts';
import { findPlannedGame } from '../draw-plans/planned-game.ts';

/** The end of the last day that a game has plans to come for, in epoch seconds; null without any. */
async function plannedUntil(db: Db, gameId: number, now: Date): Promise<number | null> {
  const { rows } = await sql<{ until: number | null }>`
    select extract(epoch from day_start(max("startTime")::date + 1))::float8 as until from draw_plan
    where "gameId" = ${gameId} and status = 'WAITTING' and "startTime" > ${now}::timestamptz`.execute(db);
  return rows[0]?.until ?? null;
}

/** The slots that a game's plans to come should be, as far as it has any. */
async function slotsToCome({ db, now }: Context, gameId: number): Promise<NumberedRun[]> {
  const game = await findPlannedGame(db, gameId);
  const until = await plannedUntil(db, gameId, now);
  return game && until !== null ? numberedRuns(game, Math.floor(now.getTime() / 1000), until) : [];
}

/**
 * Makes a change of what plans follow from. Plans that are there stay as they are: the answer, `word` otherwise, says how many are not as they
 * would be made now, where the change has moved what that is.
 */
export async function tellingOfPlans<T>(
  context: Context,
  gameId: number,
  word: string,
  change: () => Promise<T>,
): Promise<T> {
  const before = await slotsToCome(context, gameId);
  const done = await change();
  const runs = await slotsToCome(context, gameId);
  if (isDeepStrictEqual(before, runs)) return done;
  const left = await countUnlike(context.db, { gameId, runs, now: context.now });
  if (left > 0)
    context.say(`${word}，已有的开奖计划有 ${left} 期与现在的设置不符，请在该游戏的“开奖计划”菜单里重新生成`);
  return done;
}
