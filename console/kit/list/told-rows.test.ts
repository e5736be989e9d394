import { expect, test } from 'vitest';
import type { Happening } from '#contract/happenings.ts';
import { forget, nothingTold, takeIn } from './told-rows.ts';

const came = (id: number, more: Partial<Happening> = {}): Happening => ({
  ...{ noun: 'deposit', id, what: 'ADDED', userId: 7, gameId: null, status: 'PROCESSING' },
  ...more,
});
const news = (...happenings: Happening[]) => ({ complete: true, begun: false, happenings });
const list = (filters: Record<string, string>, pending = false, ids: number[] = []) => ({
  ...{ filters, pending, ids: new Set(ids) },
});

/** What a list knows to be missing from it, once this was told. */
function missing(shown: ReturnType<typeof list>, ...told: Parameters<typeof takeIn>[1][]) {
  const known = nothingTold();
  for (const [at, each] of told.entries()) takeIn(known, each, shown, at + 1);
  const { ids, ...when } = known;
  return { ids: [...ids.keys()], ...Object.fromEntries(Object.entries(when).filter(([, at]) => at)) };
}

test('new rows that are searched for are missing, but for those that stand there', () => {
  expect(missing(list({}, false, [2]), news(came(1), came(2), came(3, { what: 'CHANGED' })))).toEqual({
    ids: [1],
  });
  expect(missing(list({ userId: '8' }), news(came(1)))).toEqual({ ids: [] });
  expect(missing(list({ userId: '7', status: 'PROCESSING' }), news(came(1)))).toEqual({ ids: [1] });
});

test('whether a row is found by what is not told of it has to be looked up', () => {
  expect(missing(list({ bankOrderNo: 'x' }), news(came(1)))).toEqual({ ids: [], begun: 1 });
});

test('a list of what waits is read again for every row that came or waits no more', () => {
  const pending = list({ status: 'PROCESSING' }, true, [1]);
  expect(missing(pending, news(came(1, { what: 'CHANGED', status: 'SUCCESS' })))).toEqual({
    ids: [],
    due: 1,
  });
  expect(missing(pending, news(came(1, { what: 'CHANGED', userId: 8 })))).toMatchObject({ due: 1 });
  expect(missing(list({ status: 'PROCESSING', userId: '9' }, true), news(came(1)))).toEqual({ ids: [] });
});

test('where more happened than is known, or telling has just begun, that is known', () => {
  expect(missing(list({}), { ...news(), complete: false })).toEqual({ ids: [], unknown: 1 });
  expect(missing(list({}), { ...news(), begun: true })).toEqual({ ids: [], begun: 1 });
  expect(missing(list({}, true), { ...news(), begun: true })).toEqual({ ids: [], due: 1 });
});

test('rows that were asked for have what was told before, and what stands among them', () => {
  const told = nothingTold();
  takeIn(told, { ...news(came(1)), complete: false }, list({}), 1);
  takeIn(told, news(came(2), came(3)), list({}), 5);
  forget(told, 4, new Set([3]));
  expect([[...told.ids.keys()], told.unknown]).toEqual([[2], undefined]);
});
