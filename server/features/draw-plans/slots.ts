import {
  addDays,
  type Day,
  dayOf,
  daysFrom,
  isEven,
  momentOn,
  unevenDays,
  weekdayOf,
} from '#server/platform-days.ts';
import { secondsOf, startsOn, type TimeRange } from './bet-time-ranges.ts';

/** When a game draws. Intervals are seconds; ranges do not overlap. */
export interface Schedule {
  readonly timeZone: string;
  readonly openRate: number;
  readonly timeRanges: readonly TimeRange[];
}

/** Slots that follow one another: the first begins at `start` (epoch seconds), each lasts `rate` seconds. */
export interface Run {
  readonly start: number;
  readonly rate: number;
  readonly count: number;
}

/**
 * Slots of so many seconds and more end at the time of day that they always end at, and are longer or shorter where clocks change in them: a draw
 * once a day would be missing from 23 hours. Shorter ones keep their length, and there are more or fewer.
 */
const LONG_SLOT = 7_200;

/** The slots of a range that begins on a day. What is left of it after its last whole slot is none. */
function runsOfRange(day: Day, range: TimeRange, { timeZone, openRate }: Schedule): Run[] {
  const { from, to } = secondsOf(range);
  const rate = range.openRate ?? openRate;
  const at = (wallSeconds: number) => momentOn(day, wallSeconds, timeZone);
  const start = at(from);
  if (rate < LONG_SLOT || isEven(day, timeZone))
    return [{ start, rate, count: Math.floor((at(to) - start) / rate) }];
  return Array.from({ length: Math.floor((to - from) / rate) }, (_, place) => {
    const begin = at(from + place * rate);
    return { start: begin, rate: at(from + (place + 1) * rate) - begin, count: 1 };
  });
}

/** The slots of the ranges that begin on a day, in order. */
export function runsOfDay(schedule: Schedule, day: Day): Run[] {
  const weekday = weekdayOf(day);
  return schedule.timeRanges
    .filter((range) => startsOn(range, weekday))
    .flatMap((range) => runsOfRange(day, range, schedule))
    .filter(({ rate, count }) => rate > 0 && count > 0)
    .sort((a, b) => a.start - b.start);
}

/** The part of a run whose slots begin at or after `from` and before `to` (epoch seconds); possibly empty. */
export function clip({ start, rate, count }: Run, from: number, to: number): Run {
  const first = Math.max(0, Math.ceil((from - start) / rate));
  const end = Math.min(count, Math.ceil((to - start) / rate));
  return { start: start + first * rate, rate, count: Math.max(0, end - first) };
}

const total = (runs: readonly Run[]): number => runs.reduce((sum, { count }) => sum + count, 0);

/** The runs whose slots begin in [from, to), in order. */
export function runsBetween(schedule: Schedule, from: number, to: number): Run[] {
  if (to <= from) return [];
  const last = dayOf(to, schedule.timeZone);
  const runs: Run[] = [];
  // A range that began the day before may still be running.
  for (let day = addDays(dayOf(from, schedule.timeZone), -1); day <= last; day = addDays(day, 1))
    runs.push(...runsOfDay(schedule, day).map((run) => clip(run, from, to)));
  return runs.filter(({ count }) => count > 0).sort((a, b) => a.start - b.start);
}

/** How many slots begin in [from, to); negative when `to` lies before `from`. */
export function countSlots(schedule: Schedule, from: number, to: number): number {
  if (to < from) return 0 - countSlots(schedule, to, from);
  const { timeZone } = schedule;
  // Ranges of the first and last two days may be cut; those between count whole, alike on all even days of one weekday.
  const firstWhole = addDays(dayOf(from, timeZone), 1);
  const lastWhole = addDays(dayOf(to, timeZone), -2);
  if (lastWhole < firstWhole) return total(runsBetween(schedule, from, to));
  const clipped = (day: Day) => total(runsOfDay(schedule, day).map((run) => clip(run, from, to)));
  let sum = clipped(addDays(firstWhole, -2)) + clipped(addDays(firstWhole, -1));
  const uneven = unevenDays(firstWhole, lastWhole, timeZone);
  for (const day of uneven) sum += total(runsOfDay(schedule, day));
  const days = daysFrom(firstWhole, lastWhole) + 1;
  for (let first = 0; first < Math.min(7, days); first++) {
    let day = addDays(firstWhole, first);
    const apart = uneven.filter((one) => weekdayOf(one) === weekdayOf(day));
    const alike = Math.floor((days - 1 - first) / 7) + 1 - apart.length;
    if (alike === 0) continue;
    while (apart.includes(day)) day = addDays(day, 7);
    sum += alike * total(runsOfDay(schedule, day));
  }
  return sum + clipped(addDays(lastWhole, 1)) + clipped(addDays(lastWhole, 2));
}

/** A range of one weekday lies a week and a day back at most; where the clocks skipped it, two weeks. */
const MOST_DAYS_BACK = 16;

/** The slot that contains a moment (epoch seconds), or the last one before it, as a run of one; null without any slot. */
export function slotAt(schedule: Schedule, moment: number): Run | null {
  const { timeZone } = schedule;
  const today = dayOf(moment, timeZone);
  for (let back = 0; back <= MOST_DAYS_BACK; back++) {
    const runs = runsOfDay(schedule, addDays(today, -back)).map((run) => clip(run, -Infinity, moment + 1));
    const last = runs.filter(({ count }) => count > 0).at(-1);
    if (last) return { start: last.start + (last.count - 1) * last.rate, rate: last.rate, count: 1 };
  }
  return null;
}
