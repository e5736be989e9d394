import { describe, expect, test } from 'vitest';
import { wallClock } from '../call/platform-zone.ts';
import { datePresets } from './date-presets.ts';

const ranges = (now: string, zone = 'Asia/Shanghai') =>
  Object.fromEntries(
    datePresets(wallClock(new Date(now), zone).slice(0, 10)).map(({ label, range }) => [
      label,
      range.join(' ~ '),
    ]),
  );

describe('date presets', () => {
  test('cover whole days from the first to the last second, in the order of the specification', () => {
    expect(ranges('2026-03-18T04:00:00Z')).toEqual({
      上月: '2026-02-01 00:00:00 ~ 2026-02-28 23:59:59',
      本月: '2026-03-01 00:00:00 ~ 2026-03-31 23:59:59',
      上周: '2026-03-09 00:00:00 ~ 2026-03-15 23:59:59',
      本周: '2026-03-16 00:00:00 ~ 2026-03-22 23:59:59',
      昨天: '2026-03-17 00:00:00 ~ 2026-03-17 23:59:59',
      今天: '2026-03-18 00:00:00 ~ 2026-03-18 23:59:59',
    });
  });

  test('today is the platform’s day: 17:00 UTC is already tomorrow in Shanghai', () => {
    expect(ranges('2026-03-18T17:00:00Z').今天).toContain('2026-03-19');
    expect(ranges('2026-03-18T17:00:00Z', 'America/New_York').今天).toContain('2026-03-18');
  });

  test('a Sunday belongs to the week that began on Monday', () => {
    expect(ranges('2026-03-22T04:00:00Z').本周).toBe('2026-03-16 00:00:00 ~ 2026-03-22 23:59:59');
    expect(ranges('2026-03-23T04:00:00Z').上周).toBe('2026-03-16 00:00:00 ~ 2026-03-22 23:59:59');
  });

  test('months end where they end: leap February, the turn of the year', () => {
    expect(ranges('2028-03-31T04:00:00Z').上月).toBe('2028-02-01 00:00:00 ~ 2028-02-29 23:59:59');
    expect(ranges('2026-01-31T04:00:00Z').上月).toBe('2025-12-01 00:00:00 ~ 2025-12-31 23:59:59');
    expect(ranges('2026-12-05T04:00:00Z').本月).toBe('2026-12-01 00:00:00 ~ 2026-12-31 23:59:59');
  });

  test('a clock change in the platform’s zone shifts nothing', () => {
    expect(ranges('2026-03-09T16:00:00Z', 'America/New_York').昨天).toBe(
      '2026-03-08 00:00:00 ~ 2026-03-08 23:59:59',
    );
  });
});
