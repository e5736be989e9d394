import type { TimeRange } from '../draw-plans/bet-time-ranges.ts';
import { type PlannedGame, phaseAt } from '../draw-plans/numbering.ts';

/** The moment phases are told for, and the zone that days are counted in. */
export interface At {
  readonly now: Date;
  readonly timeZone: string;
}

/** `phaseTime` in epoch seconds, as for plans: its text tells two moments where clocks show an hour twice. */
type Anchored = Pick<PlannedGame, 'phase' | 'phaseRule' | 'phaseTime' | 'openRate'>;

/** The phase of the slot that contains now, or of the last one before it. */
export function currentPhase(
  { phase, phaseRule, phaseTime, openRate }: Anchored,
  timeRanges: readonly TimeRange[],
  { now, timeZone }: At,
): string {
  const planned = { phase, phaseRule, phaseTime, openRate, timeRanges, timeZone };
  return phaseAt(planned, Math.floor(now.getTime() / 1000));
}
