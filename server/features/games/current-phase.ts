import { momentOf } from '#server/platform-days.ts';
import type { TimeRange } from '../draw-plans/bet-time-ranges.ts';
import { type PlannedGame, phaseAt } from '../draw-plans/numbering.ts';

/** The moment phases are told for, and the zone that days are counted in. */
export interface At {
  readonly now: Date;
  readonly timeZone: string;
}

interface Anchored extends Pick<PlannedGame, 'phase' | 'phaseRule' | 'openRate'> {
  /** The moment whose slot `phase` belongs to, as wire text. */
  readonly phaseTime: string;
}

/** The phase of the slot that contains now, or of the last one before it. */
export function currentPhase(
  game: Anchored,
  timeRanges: readonly TimeRange[],
  { now, timeZone }: At,
): string {
  const phaseTime = momentOf(game.phaseTime, timeZone);
  const { phase, phaseRule, openRate } = game;
  const planned = { phase, phaseRule, openRate, timeRanges, timeZone, phaseTime };
  return phaseAt(planned, Math.floor(now.getTime() / 1000));
}
