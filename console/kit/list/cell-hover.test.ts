import { describe, expect, it } from 'vitest';
import { agoText } from './cell-hover.ts';

const now = new Date('2026-01-20T04:00:00Z');
const ago = (wire: string) => agoText(wire, now, 'Asia/Shanghai');

describe('how long ago', () => {
  it('is told in the largest unit, by the platform’s clock', () => {
    expect(ago('2026-01-20 11:59:30')).toBe('30 秒前');
    expect(ago('2026-01-20 11:00:00')).toBe('1 小时前');
    expect(ago('2026-01-17 11:59:59')).toBe('3 天前');
    expect(ago('2026-01-20 12:10:00')).toBe('10 分钟后');
  });

  it('is nothing for what is no moment', () => {
    expect(ago('—')).toBeUndefined();
    expect(ago('')).toBeUndefined();
  });
});
