import { describe, expect, test } from 'vitest';
import { completed, formatWall, parseWall, wallCalendar } from './wall-calendar.ts';

const moment = (text: string): Date => {
  const date = parseWall(text);
  if (!date) throw new Error(`not a moment: ${text}`);
  return date;
};
const full = (date: Date) => formatWall(date, 'YYYY-MM-DD HH:mm:ss');

describe('the calendar of the date pickers', () => {
  test.each(['2026-03-08 02:30:00', '2026-10-04 00:00:00', '2028-02-29 23:59:59'])(
    'a moment that some zone skips comes back as written: %s',
    (text) => expect(full(moment(text))).toBe(text),
  );

  test.each(['2026-02-30 00:00:00', '2026-13-01', '24:00:01', '2026-1-1', 'x', '', null, undefined])(
    'no moment: %s',
    (text) => expect(parseWall(text)).toBeNull(),
  );

  test('only what is written in full in the picker’s format counts as typed', () => {
    const parse = (text: string, format: string) => wallCalendar.locale.parse('zh_CN', text, [format]);
    const typed = '2026-11-15 08:30:00';
    for (let length = 1; length < typed.length; length += 1)
      expect(parse(typed.slice(0, length), 'YYYY-MM-DD HH:mm:ss')).toBeNull();
    expect(parse(typed, 'YYYY-MM-DD HH:mm:ss')).toEqual(moment(typed));
    expect(parse('2026-11-15', 'YYYY-MM-DD')).toEqual(moment('2026-11-15'));
    expect(parse('08:30:00', 'HH:mm:ss')).toEqual(moment('08:30:00'));
    expect(parse(typed, 'YYYY-MM-DD')).toBeNull();
  });

  test.each([
    ['2030/1/31', 'YYYY-MM-DD', '2030-01-31'],
    ['20300131', 'YYYY-MM-DD', '2030-01-31'],
    [' 2030.1.31 ', 'YYYY-MM-DD', '2030-01-31'],
    ['2030年1月31日', 'YYYY-MM-DD', '2030-01-31'],
    ['2030/2/30', 'YYYY-MM-DD', undefined],
    ['2030/1', 'YYYY-MM-DD', undefined],
    ['2030-01-31 08:00', 'YYYY-MM-DD', undefined],
    ['8:5', 'HH:mm:ss', '08:05:00'],
    ['24:00', 'HH:mm:ss', undefined],
    ['2030/1/31', 'YYYY-MM-DD HH:mm:ss', '2030-01-31 00:00:00'],
    ['2030/1/31 8:30', 'YYYY-MM-DD HH:mm:ss', '2030-01-31 08:30:00'],
    ['2030/1/31 8:30:05', 'YYYY-MM-DD HH:mm:ss', '2030-01-31 08:30:05'],
    ['8:30', 'YYYY-MM-DD HH:mm:ss', undefined],
    ['2030/1/31 8:30 x', 'YYYY-MM-DD HH:mm:ss', undefined],
  ])('%s in a picker of %s is %s when it is left', (typed, format, whole) => {
    expect(completed(typed, format)).toBe(whole);
  });

  test('what ends a range ends with the last second of what is typed', () => {
    expect(completed('2030/1/31', 'YYYY-MM-DD HH:mm:ss', true)).toBe('2030-01-31 23:59:59');
    expect(completed('20300131 8:30', 'YYYY-MM-DD HH:mm:ss', true)).toBe('2030-01-31 08:30:59');
  });

  test('headers and cells of the panels', () => {
    const date = moment('2026-03-08 02:30:05');
    expect(formatWall(date, 'YYYY年')).toBe('2026年');
    expect(formatWall(date, 'M月D')).toBe('3月8');
    expect(formatWall(date, 'HH:mm:ss')).toBe('02:30:05');
  });

  test('months are called as the language calls them', () => {
    const { getShortMonths } = wallCalendar.locale;
    expect(getShortMonths('zh_CN').slice(9)).toEqual(['10月', '11月', '12月']);
    expect(getShortMonths('en_US').slice(9)).toEqual(['Oct', 'Nov', 'Dec']);
  });

  test('a month on from the 31st is the last day of a shorter month', () => {
    expect(full(wallCalendar.addMonth(moment('2026-01-31 10:00:00'), 1))).toBe('2026-02-28 10:00:00');
    expect(full(wallCalendar.addYear(moment('2028-02-29 10:00:00'), 1))).toBe('2029-02-28 10:00:00');
    expect(full(wallCalendar.getEndDate(moment('2028-02-03 00:00:00')))).toBe('2028-02-29 00:00:00');
  });

  test('weeks begin on Monday', () => {
    expect(full(wallCalendar.locale.getWeekFirstDate('zh_CN', moment('2026-03-22')))).toBe(
      '2026-03-16 00:00:00',
    );
    expect(wallCalendar.locale.getWeek('zh_CN', moment('2026-01-01'))).toBe(1);
  });
});
