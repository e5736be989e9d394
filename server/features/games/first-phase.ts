import { dayOf, dayStart } from '#server/platform-days.ts';
import type { PhaseRule } from '../draw-plans/numbering.ts';
import { clip, countSlots, runsBetween, type Schedule, slotAt } from '../draw-plans/slots.ts';
import type { At } from './current-phase.ts';

interface NewGame extends Pick<Schedule, 'openRate' | 'timeRanges'> {
  readonly phaseRule: PhaseRule;
  /** Digits of the serial in a DAILY or YEARLY phase; three unless told otherwise. */
  readonly serialDigits?: number | undefined;
}

/** A betting range ends by the next day, which clocks may stretch. */
const LONGEST_SLOT_SECONDS = 2 * 86_400;

/** How many draws the schedule has from the year's first day up to the one of this slot. */
function drawsUpTo(schedule: Schedule, slot: number, yearStart: number): number {
  // Betting on the year's first draw may have begun in the old year.
  const before = runsBetween(schedule, yearStart - LONGEST_SLOT_SECONDS, yearStart)
    .map((run) => clip(run, yearStart - run.rate + 1, yearStart))
    .reduce((sum, { count }) => sum + count, 0);
  return before + countSlots(schedule, yearStart, slot) + 1;
}

/**
 * The phase of a game for which none is given: 1, the first of the day, or the year's count of draws up to now as the schedule has
 * it. Sources pause on some holidays, which no schedule here knows: an operator corrects the count then.
 */
export function firstPhase(game: NewGame, { now, timeZone }: At): string {
  const { phaseRule, openRate, timeRanges, serialDigits = 3 } = game;
  const serialOf = (count: number) => String(count).padStart(serialDigits, '0');
  if (phaseRule === 'RUNNING') return '1';
  const moment = Math.floor(now.getTime() / 1000);
  const today = dayOf(moment, timeZone);
  if (phaseRule === 'DAILY') return today.replaceAll('-', '') + serialOf(1);
  const schedule = { openRate, timeRanges, timeZone };
  const slot = slotAt(schedule, moment);
  const year = (slot === null ? today : dayOf(slot, timeZone)).slice(0, 4);
  return year + serialOf(slot === null ? 1 : drawsUpTo(schedule, slot, dayStart(`${year}-01-01`, timeZone)));
}
