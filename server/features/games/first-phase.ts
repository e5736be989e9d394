import { dayOf } from '#server/platform-days.ts';
import { type PhaseRule, phaseAt } from '../draw-plans/numbering.ts';
import { type Schedule, slotAt } from '../draw-plans/slots.ts';
import type { At } from './current-phase.ts';

interface NewGame extends Pick<Schedule, 'openRate' | 'timeRanges'> {
  readonly phaseRule: PhaseRule;
  /** Digits of the serial in a DAILY or YEARLY phase; three unless told otherwise. */
  readonly serialDigits?: number | undefined;
}

/** Of no year that draws are in: a game that shows it counts from the first draw of each. */
const NO_YEAR = '0000';

/**
 * The phase of a game for which none is given: 1, the first of the day, or the year's count of draws up to now as the schedule has
 * it. Sources pause on some holidays, which no schedule here knows: an operator corrects the count then.
 */
export function firstPhase(game: NewGame, { now, timeZone }: At): string {
  const { phaseRule, openRate, timeRanges, serialDigits = 3 } = game;
  if (phaseRule === 'RUNNING') return '1';
  const first = '1'.padStart(serialDigits, '0');
  const moment = Math.floor(now.getTime() / 1000);
  const today = dayOf(moment, timeZone);
  if (phaseRule === 'DAILY') return today.replaceAll('-', '') + first;
  const schedule = { openRate, timeRanges, timeZone };
  if (slotAt(schedule, moment) === null) return today.slice(0, 4) + first;
  return phaseAt({ ...schedule, phaseRule, phase: NO_YEAR + first, phaseTime: moment }, moment);
}
