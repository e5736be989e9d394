import { describe, expect, it } from 'vitest';
import { ageOf, changeOf } from './words.ts';

describe('the overview’s words', () => {
  it.each([
    [0, '刚刚'],
    [59, '59 秒'],
    [60, '1 分钟'],
    [3_599, '59 分钟'],
    [7_500, '2 小时 5 分钟'],
    [90_000, '1 天 1 小时'],
    [86_460, '1 天'],
  ])('%i seconds are %s', (seconds, words) => {
    expect(ageOf(seconds)).toBe(words);
  });

  it.each([
    [100, 100, '持平', 'same'],
    [150, 100, '↑ 50.0%', 'up'],
    [50, 100, '↓ 50.0%', 'down'],
    [50, -100, '↑ 150.0%', 'up'],
    [5, 0, '（上期为 0）', 'same'],
    [5_000, 1, '↑ 超过 10 倍', 'up'],
  ] as const)('%d against %d is %s', (now, before, text, direction) => {
    expect(changeOf(now, before)).toEqual({ text, direction });
  });
});
