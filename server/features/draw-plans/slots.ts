import { addDays, DAY_SECONDS, type Day, dayOf, isEven, momentOn } from './platform-days.ts';

/** When a game draws. Intervals are seconds; ranges are times of day `HH:mm:ss` that do not overlap. */
export interface Schedule {
  readonly timeZone: string;
  readonly openRate: number;
  readonly timeRanges: readonly { start: string; end: string; openRate?: number | null | undefined }[];
}

/** Slots that follow one another: the first begins at `start` (epoch seconds), each lasts `rate` seconds. */
export interface Run {
  readonly start: number;
  readonly rate: number;
  readonly count: number;
}

const secondsOf = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
};

/** A range's end in seconds since the midnight it starts after; 23:59:59 means midnight. */
function endOf(range: { start: string; end: string }): number {
  const end = secondsOf(range.end) === DAY_SECONDS - 1 ? DAY_SECONDS : secondsOf(range.end);
  return end > secondsOf(range.start) ? end : end + DAY_SECONDS;
}

/** The slots of the ranges that begin on a day, in order. What is left of a range after its last whole slot is none. */
export function runsOfDay({ timeZone, openRate, timeRanges }: Schedule, day: Day): Run[] {
  return timeRanges
    .map((range): Run => {
      const start = momentOn(day, secondsOf(range.start), timeZone);
      const rate = range.openRate ?? openRate;
      const length = momentOn(day, endOf(range), timeZone) - start;
      return { start, rate, count: Math.max(0, Math.floor(length / rate)) };
    })
    .filter(({ count }) => count > 0)
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
  // Ranges of the first and last two days may be cut; those between count whole, alike on all even days.
  const firstWhole = addDays(dayOf(from, timeZone), 1);
  const lastWhole = addDays(dayOf(to, timeZone), -2);
  if (lastWhole < firstWhole) return total(runsBetween(schedule, from, to));
  const clipped = (day: Day) => total(runsOfDay(schedule, day).map((run) => clip(run, from, to)));
  let sum = clipped(addDays(firstWhole, -2)) + clipped(addDays(firstWhole, -1));
  const onEvenDays = total(runsOfDay(schedule, evenDay(firstWhole, timeZone)));
  for (let day = firstWhole; day <= lastWhole; day = addDays(day, 1))
    sum += isEven(day, timeZone) ? onEvenDays : total(runsOfDay(schedule, day));
  return sum + clipped(addDays(lastWhole, 1)) + clipped(addDays(lastWhole, 2));
}

function evenDay(day: Day, timeZone: string): Day {
  return isEven(day, timeZone) ? day : evenDay(addDays(day, 1), timeZone);
}

/** The start of the slot that contains a moment (epoch seconds), or of the last one before it; null without any slot. */
export function slotAt(schedule: Schedule, moment: number): number | null {
  const { timeZone } = schedule;
  const today = dayOf(moment, timeZone);
  for (let back = 0; back <= 3; back++) {
    const runs = runsOfDay(schedule, addDays(today, -back)).map((run) => clip(run, -Infinity, moment + 1));
    const last = runs.filter(({ count }) => count > 0).at(-1);
    if (last) return last.start + (last.count - 1) * last.rate;
  }
  return null;
}
