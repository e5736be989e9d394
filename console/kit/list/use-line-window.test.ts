import { describe, expect, test } from 'vitest';
import { linesAround } from './use-line-window.ts';

const range = { startIndex: 500, endIndex: 520, overscan: 0, count: 1000 };
const ends = (lines: readonly number[]) => [lines[0], lines.at(-1), lines.length];

describe('the lines drawn around those in sight', () => {
  test('are a few on both sides where nothing moves', () => {
    expect(ends(linesAround(range, 0))).toEqual([488, 532, 45]);
  });
  test('are as many as passed on the side that is scrolled to', () => {
    expect(ends(linesAround(range, 18))).toEqual([488, 538, 51]);
    expect(ends(linesAround(range, -18))).toEqual([482, 532, 51]);
  });
  test('are the fewest after a jump, where none of those that stood there is in sight', () => {
    expect(ends(linesAround(range, 50))).toEqual([498, 522, 25]);
    expect(ends(linesAround(range, -50))).toEqual([498, 522, 25]);
  });
  test('end with the list', () => {
    expect(ends(linesAround({ ...range, startIndex: 0, endIndex: 20 }, -18))).toEqual([0, 32, 33]);
    expect(ends(linesAround({ ...range, startIndex: 979, endIndex: 999 }, 18))).toEqual([967, 999, 33]);
  });
});
