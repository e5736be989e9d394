import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { deleteWaiting, type Window } from './draw-plan-store.ts';
import { type NumberedRun, numberedRuns } from './numbering.ts';
import { openDuePlans } from './plan-life.ts';
import { deleteInTheWay, findTakenPhase, insertPlans } from './plan-rows.ts';
import { lockPlannedGame } from './planned-game.ts';
import { demandPhasesFit } from './promises-fit.ts';

/** A second apart for a whole day, or a month of any game that draws every 20 seconds. */
const MOST_AT_ONCE = 150_000;

export interface Generated {
  /** Plans there are now in the window that can still be bet on. */
  readonly made: number;
  /** Plans of another numbering, outside of the window, that had to go. */
  readonly displaced: number;
  /** Plans of the window that stay, as betting on them has begun. */
  readonly stayed: number;
}

const undrawn = (runs: readonly NumberedRun[], now: Date): NumberedRun[] => {
  const seconds = now.getTime() / 1000;
  return runs.flatMap((run) => {
    const passed = Math.min(run.count, Math.max(0, Math.floor((seconds - run.start) / run.rate)));
    const left = {
      start: run.start + passed * run.rate,
      count: run.count - passed,
      first: run.first + BigInt(passed),
    };
    return left.count > 0 ? [{ ...run, ...left }] : [];
  });
};

const total = (runs: readonly NumberedRun[]): number => runs.reduce((sum, { count }) => sum + count, 0);

/**
 * Replaces a game's WAITTING plans whose betting begins in the window by those its schedule and phase say, and leaves what
 * is being drawn or was. To be called in a transaction; two at a time for one game take turns. Throws `phaseDrawn` rather than plan
 * a phase that has a result, and `promiseUnfit` where one was promised otherwise than the game's rule says.
 */
export async function generatePlans(
  db: Db,
  { gameId, window, now }: { gameId: number; window: Window; now: Date },
): Promise<Generated> {
  const game = await lockPlannedGame(db, gameId);
  const runs = undrawn(numberedRuns(game, window.from, window.to), now);
  const wanted = total(runs);
  if (wanted > MOST_AT_ONCE) throw new Refusal('tooManyPlans', { values: { most: MOST_AT_ONCE } });
  await openDuePlans(db, now, gameId);
  const { stayed } = await deleteWaiting(db, { gameId, now }, { within: window });
  if (wanted === 0) return { made: 0, displaced: 0, stayed };
  const planned = { gameId, runs, now };
  const { made, promised } = await insertPlans(db, planned);
  // What was promised before its plan was cleared is promised again with it.
  await demandPhasesFit(db, gameId, promised);
  if (made === wanted) return { made, displaced: 0, stayed };
  const displaced = await deleteInTheWay(db, planned);
  const taken = await findTakenPhase(db, planned);
  if (taken !== undefined) throw new Refusal('phaseTaken', { values: { phase: taken } });
  const more = await insertPlans(db, planned);
  await demandPhasesFit(db, gameId, more.promised);
  return { made: made + more.made, displaced, stayed };
}
