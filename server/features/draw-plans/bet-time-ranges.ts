import { WEEKDAYS } from '#contract/list-fields.ts';

/**
 * When a game takes bets on a day: times of day as `HH:mm:ss`, `openRate` in seconds where it is not the game's, `weekdays`
 * (1 for Monday to 7) where it does not start on every day.
 */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
  readonly openRate?: number | null | undefined;
  readonly weekdays?: readonly number[] | null | undefined;
}

const DAY = 86_400;
const WEEK = 7 * DAY;

const secondOf = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
};

/**
 * A range in seconds from the midnight its day begins with. An end of 23:59:59 means midnight; an end that is not
 * after the start lies on the next day, so that `to` may exceed 86400.
 */
export function secondsOf({ start, end }: TimeRange): { from: number; to: number } {
  const from = secondOf(start);
  const to = end === '23:59:59' ? DAY : secondOf(end);
  return { from, to: to > from ? to : to + DAY };
}

/** Whether a range starts on all days of the week. */
export const isEveryDay = ({ weekdays }: TimeRange): boolean =>
  !weekdays || weekdays.length === 0 || weekdays.length === WEEKDAYS.length;

/** Whether a range starts on a day of the week. */
export const startsOn = (range: TimeRange, weekday: number): boolean =>
  isEveryDay(range) || range.weekdays?.includes(weekday) === true;

/** The days after a range's that another one starts on, for some day that the range starts on: -6 to 6. */
function* daysApart(one: TimeRange, other: TimeRange): Generator<number> {
  for (let day = 1; day <= WEEKDAYS.length; day++)
    for (let otherDay = 1; otherDay <= WEEKDAYS.length; otherDay++)
      if (startsOn(one, day) && startsOn(other, otherDay)) yield otherDay - day;
}

/** Whether two ranges share a moment of some week; touching ends do not count. */
export function overlaps(one: TimeRange, other: TimeRange): boolean {
  const a = secondsOf(one);
  const b = secondsOf(other);
  for (const days of daysApart(one, other))
    for (const shift of [days * DAY - WEEK, days * DAY, days * DAY + WEEK])
      if (a.from < b.to + shift && b.from + shift < a.to) return true;
  return false;
}

/** The first pair of ranges that share a moment. */
export function findOverlap<R extends TimeRange>(
  ranges: readonly R[],
): readonly [one: R, other: R] | undefined {
  for (const [position, one] of ranges.entries()) {
    const other = ranges.slice(position + 1).find((later) => overlaps(one, later));
    if (other) return [one, other];
  }
  return undefined;
}

/** `09:00:00-23:59:59` or `周二、周四 20:00:00-21:00:00`, as operators write it. */
export function rangeText(range: TimeRange): string {
  const days = isEveryDay(range) ? [] : WEEKDAYS.filter((_, index) => startsOn(range, index + 1));
  return `${days.length > 0 ? `${days.join('、')} ` : ''}${range.start}-${range.end}`;
}

/** All ranges of a game in one line. */
export const describeRanges = (ranges: readonly TimeRange[]): string =>
  ranges
    .map((range) => {
      const text = rangeText(range);
      return range.openRate ? `${text}（每 ${range.openRate} 秒一期）` : text;
    })
    .join('；');
