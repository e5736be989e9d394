import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import {
  describeRanges,
  isEveryDay,
  overlaps,
  secondsOf,
  startsOn,
  type TimeRange,
} from './bet-time-ranges.ts';

const DAY = 86_400;
const timeText = (second: number): string =>
  [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
const time = fc.integer({ min: 0, max: DAY - 1 }).map(timeText);
const week = [1, 2, 3, 4, 5, 6, 7];
const weekdays = fc.option(fc.subarray(week, { minLength: 1 }));
const range: fc.Arbitrary<TimeRange> = fc.record({ start: time, end: time, weekdays });

/** Whether a second of a day lies in a range that began on that day or the day before. */
const covers = (one: TimeRange, weekday: number, second: number): boolean => {
  const { from, to } = secondsOf(one);
  const dayBefore = weekday === 1 ? 7 : weekday - 1;
  const today = startsOn(one, weekday) && second >= from && second < to;
  return today || (startsOn(one, dayBefore) && second + DAY >= from && second + DAY < to);
};

describe('betting time ranges', () => {
  it('overlap exactly when some second of some day lies in both', () => {
    fc.assert(
      fc.property(range, range, (one, other) => {
        const edges = [one, other].flatMap((each) => [secondsOf(each).from % DAY]);
        const isShared = week.some((day) =>
          edges.some((at) => covers(one, day, at) && covers(other, day, at)),
        );
        expect(overlaps(one, other)).toBe(isShared);
        expect(overlaps(other, one)).toBe(overlaps(one, other));
      }),
      { seed: randomSeed, numRuns: 1000 },
    );
  });

  it('take 23:59:59 as midnight and an early end as the next day', () => {
    expect(secondsOf({ start: '10:00:00', end: '23:59:59' })).toEqual({ from: 36_000, to: DAY });
    expect(secondsOf({ start: '22:00:00', end: '02:00:00' })).toEqual({ from: 79_200, to: DAY + 7_200 });
    expect(overlaps({ start: '10:00:00', end: '23:59:59' }, { start: '00:00:00', end: '01:00:00' })).toBe(
      false,
    );
  });

  it('of different days share nothing, but for the night of the day before, Sunday’s into Monday too', () => {
    const evening = { start: '20:00:00', end: '02:00:00' };
    const night = { start: '01:00:00', end: '03:00:00' };
    const meet = (one: number[], other: number[]) =>
      overlaps({ ...evening, weekdays: one }, { ...night, weekdays: other });
    expect(meet([1], [1])).toBe(false);
    expect(meet([1], [2])).toBe(true);
    expect(meet([7], [1])).toBe(true);
    expect(meet([7], [2, 3, 4, 5, 6, 7])).toBe(false);
    expect(overlaps({ ...evening, weekdays: [7] }, night)).toBe(true);
    expect(overlaps({ ...evening, weekdays: [3] }, { ...evening, weekdays: [4] })).toBe(false);
  });

  it('are told with their days, unless it is all of them', () => {
    const range = { start: '21:15:00', end: '21:15:00' };
    expect(
      describeRanges([
        { ...range, weekdays: [1, 3, 6] },
        { ...range, openRate: 60 },
      ]),
    ).toBe('周一、周三、周六 21:15:00-21:15:00；21:15:00-21:15:00（每 60 秒一期）');
    expect([[], null, week].map((weekdays) => isEveryDay({ ...range, weekdays }))).toEqual([
      true,
      true,
      true,
    ]);
  });
});
