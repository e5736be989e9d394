/** When a game takes bets on a day: times of day as `HH:mm:ss`, `openRate` in seconds where it is not the game's. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
  readonly openRate?: number | null | undefined;
}

const DAY = 86_400;

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

/** Whether two ranges of every day share a moment; touching ends do not count. */
export function overlaps(one: TimeRange, other: TimeRange): boolean {
  const a = secondsOf(one);
  const b = secondsOf(other);
  return [-DAY, 0, DAY].some((shift) => a.from < b.to + shift && b.from + shift < a.to);
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

/** `09:00:00-23:59:59`, as operators write it. */
export const rangeText = ({ start, end }: TimeRange): string => `${start}-${end}`;

/** All ranges of a game in one line. */
export const describeRanges = (ranges: readonly TimeRange[]): string =>
  ranges
    .map((range) => rangeText(range) + (range.openRate ? `（每 ${range.openRate} 秒一期）` : ''))
    .join('；');
