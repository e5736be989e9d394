import { expect, it } from 'vitest';
import { bookOf, MOST_CELLS } from './book.ts';
import { playOf } from './play.ts';

/** The first ball of as many, each with odds of its own; or, with a selection, what has them in its pool. */
function bookOfPool(size: number, isSelected = false) {
  const numbers = Array.from({ length: size }, (_, place) => String(place));
  return bookOf(
    playOf({
      latitude: { resultIndex: '0', resultHandlerName: 'ValueHandler', handlerOptions: null },
      ...{
        oddsFrom: 'NUMBER',
        resultRule: { parts: [{ count: 1, of: numbers, repeat: true, ordered: true }] },
      },
      selection: isSelected ? { kind: 'PLACES', places: 1, of: numbers } : null,
      rows: numbers.map((number) => ({ number, odds: '2' })),
    }),
  );
}

it('numbers are added up one by one for pools of at most 1,000, and never where a unit is of several', () => {
  expect(MOST_CELLS).toBe(1_000);
  expect(bookOfPool(1_000)).toMatchObject({ hasCells: true, name: expect.any(String), fewDraws: true });
  expect(bookOfPool(1_001)).toMatchObject({ hasCells: false, name: null, fewDraws: false });
  expect(bookOfPool(10, true)).toMatchObject({ hasCells: false, name: null, fewDraws: true });
});
