import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaps, secondsOf, type TimeRange } from './bet-time-ranges.ts';

const DAY = 86_400;
const timeText = (second: number): string =>
  [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
const time = fc.integer({ min: 0, max: DAY - 1 }).map(timeText);
const range: fc.Arbitrary<TimeRange> = fc.record({ start: time, end: time });

/** Whether a second of the day lies in a range, told without arithmetic over midnight. */
const covers = (one: TimeRange, second: number): boolean => {
  const { from, to } = secondsOf(one);
  return (second >= from && second < to) || (second + DAY >= from && second + DAY < to);
};

describe('betting time ranges', () => {
  it('overlap exactly when some second of the day lies in both', () => {
    fc.assert(
      fc.property(range, range, (one, other) => {
        const edges = [one, other].flatMap((each) => [secondsOf(each).from % DAY]);
        expect(overlaps(one, other)).toBe(edges.some((at) => covers(one, at) && covers(other, at)));
        expect(overlaps(other, one)).toBe(overlaps(one, other));
      }),
    );
  });

  it('take 23:59:59 as midnight and an early end as the next day', () => {
    expect(secondsOf({ start: '10:00:00', end: '23:59:59' })).toEqual({ from: 36_000, to: DAY });
    expect(secondsOf({ start: '22:00:00', end: '02:00:00' })).toEqual({ from: 79_200, to: DAY + 7_200 });
    expect(overlaps({ start: '10:00:00', end: '23:59:59' }, { start: '00:00:00', end: '01:00:00' })).toBe(
      false,
    );
  });
});
