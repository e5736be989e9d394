import { expect, it } from 'vitest';
import { asksForReportDay, datedAddress, movingAddress, presetsOn } from './view-dates.ts';

const on = (calendar: string, report = calendar) => presetsOn(calendar, report);
const addressOf = (...pairs: [string, string][]) => new URLSearchParams(pairs).toString();
const range = ([from, to]: readonly [string, string]): [string, string][] => [
  ['createTimeRange', `${from} 00:00:00`],
  ['createTimeRange', `${to} 23:59:59`],
];

it.each([
  ['今天', '2026-12-31', ['2026-12-31', '2026-12-31'], '2027-01-01', ['2027-01-01', '2027-01-01']],
  ['昨天', '2027-03-01', ['2027-02-28', '2027-02-28'], '2028-03-01', ['2028-02-29', '2028-02-29']],
  ['本周', '2026-12-31', ['2026-12-28', '2027-01-03'], '2027-01-04', ['2027-01-04', '2027-01-10']],
  ['上月', '2027-01-31', ['2026-12-01', '2026-12-31'], '2027-03-31', ['2027-02-01', '2027-02-28']],
] as const)(
  'a view of %s that is kept on %s shows another day’s dates when it is opened then',
  (words, kept, before, opened, after) => {
    const address = addressOf(['status', 'FAIL'], ...range(before), ['sort', '-amount']);
    const moving = movingAddress(address, on(kept));
    expect(moving?.words).toBe(words);
    expect(datedAddress(moving?.address ?? '', on(opened))).toBe(
      addressOf(['status', 'FAIL'], ...range(after), ['sort', '-amount']),
    );
  },
);

it('days move on as moments do', () => {
  const address = addressOf(['range', '2026-11-01'], ['range', '2026-11-30']);
  const moving = movingAddress(address, on('2026-11-26'));
  expect(datedAddress(moving?.address ?? '', on('2026-12-02'))).toBe(
    addressOf(['range', '2026-12-01'], ['range', '2026-12-31']),
  );
});

it('days are those of the report, also while its day of yesterday goes on', () => {
  const night = on('2026-12-01', '2026-11-30');
  const kept = movingAddress(addressOf(['range', '2026-11-30'], ['range', '2026-11-30']), night);
  expect(kept).toEqual({ address: addressOf(['range', 'days:今天']), words: '今天' });
  const month = addressOf(['range', 'days:本月'], ['createTimeRange', 'range:本月']);
  expect(datedAddress(month, night)).toBe(
    addressOf(
      ...(['2026-11-01', '2026-11-30'].map((end) => ['range', end]) as [string, string][]),
      ...range(['2026-12-01', '2026-12-31']),
    ),
  );
  expect(asksForReportDay(month)).toBe(true);
  expect(asksForReportDay(addressOf(['createTimeRange', 'range:本月'], ['name', '今天']))).toBe(false);
});

it('dates of no preset, and whatever else is searched for, stay as they are', () => {
  const address = addressOf(...range(['2026-11-02', '2026-11-05']), ['gameId', '1'], ['gameId', '2']);
  expect(movingAddress(address, on('2026-11-26'))).toBeUndefined();
  expect(datedAddress(address, on('2026-11-27'))).toBe(address);
  const other = addressOf(['name', 'range:明天'], ['remark', '今天']);
  expect(datedAddress(other, on('2026-11-27'))).toBe(other);
});
