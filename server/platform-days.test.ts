import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { addDays, dayOf, dayStart, daysFrom, isEven, unevenDays } from './platform-days.ts';

// Two changes a year at two in the morning; one at midnight; a day that never was; summers of long ago; changes around each Ramadan.
const spans = [
  ['America/New_York', '2025-01-01', '2027-12-31'],
  ['America/Santiago', '2021-12-30', '2024-01-02'],
  ['Pacific/Apia', '2011-06-15', '2012-06-15'],
  ['Asia/Shanghai', '1985-01-01', '1992-12-31'],
  ['Africa/Casablanca', '2022-02-03', '2024-11-11'],
] as const;

it.each(spans)('the days of %s that are not even are found without looking at each', (zone, from, to) => {
  const days = Array.from({ length: daysFrom(from, to) + 1 }, (_, after) => addDays(from, after));
  const uneven = days.filter((day) => !isEven(day, zone));
  expect(uneven.length).toBeGreaterThan(0);
  expect(unevenDays(from, to, zone).toSorted()).toEqual(uneven);
});

it('a zone that leaves its clocks alone has none', () => {
  expect(unevenDays('1995-01-01', '2094-12-31', 'Asia/Shanghai')).toEqual([]);
});

it.each(spans)('a moment of %s belongs to the day that its calendar tells', (zone, from, to) => {
  const asTold = (seconds: number) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .toString();
  // Beside each midnight, and everywhere beside a change of the clocks.
  const midnights = Array.from({ length: daysFrom(from, to) }, (_, after) => addDays(from, after));
  const near = midnights.flatMap((day) => [-1, 0, 1].map((by) => dayStart(day, zone) + by));
  const changing = unevenDays(from, to, zone).flatMap((day) =>
    Array.from({ length: 288 }, (_, step) => dayStart(day, zone) + step * 600),
  );
  const ends = ['1900-01-01T00:00:00Z', '9999-12-31T12:00:00Z'].map((end) => Date.parse(end) / 1_000);
  const wrong = [...near, ...changing, ...ends].filter((seconds) => dayOf(seconds, zone) !== asTold(seconds));
  expect(wrong).toEqual([]);
});
