import { expect, test } from 'vitest';
import { linesOf } from './tree-rows.ts';
import { placeAfter } from './use-kept-focus.ts';

const linesFrom = (...ids: number[]) =>
  linesOf(
    ids.map((id) => ({ id })),
    () => false,
    {},
  );
const before = linesFrom(5, 4, 3, 2, 1);
/** Which row has the keyboard, after that of the third line (3) had it. */
const rowAfter = (...ids: number[]) => ids[placeAfter({ lines: before, at: 2 }, linesFrom(...ids))];

test('the row that takes the place of one that went has the keyboard', () => {
  expect(rowAfter(5, 4, 2, 1)).toBe(2);
  expect(rowAfter(5, 4, 1)).toBe(1);
  expect(rowAfter(5, 4)).toBe(4);
});

test('rows that came above meanwhile do not take it', () => {
  expect(rowAfter(7, 6, 5, 4, 2, 1)).toBe(2);
  expect(rowAfter(7, 6, 5, 4, 3, 2, 1)).toBe(3);
});

test('of other rows the first has it', () => {
  expect(rowAfter(9, 8)).toBe(9);
});
