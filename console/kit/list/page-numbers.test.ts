import { expect, test } from 'vitest';
import { pageNumbers } from './page-numbers.ts';

const shown = (page: number, last: number) =>
  pageNumbers(page, last)
    .map((one) => one ?? '…')
    .join(' ');

test.each([
  [1, 0, '1'],
  [1, 1, '1'],
  [1, 2, '1 2'],
  [2, 7, '1 2 3 4 5 6 7'],
  [1, 20, '1 2 3 4 5 6 … 20'],
  [4, 20, '1 2 3 4 5 6 … 20'],
  [5, 20, '1 … 3 4 5 6 7 … 20'],
  [17, 20, '1 … 15 16 17 18 19 20'],
  [20, 20, '1 … 15 16 17 18 19 20'],
])('page %i of %i offers %s', (page, last, pages) => {
  expect(shown(page, last)).toBe(pages);
});
