import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closed,
  copied,
  distinction,
  MOST_TABS,
  moved,
  neighbour,
  noTabs,
  type Place,
  pinned,
  type Tabs,
  visited,
} from './tab-list.ts';

const at = (path: string, search = '', rest: Partial<Place> = {}): Place => ({ path, search, ...rest });
const going = (...places: Place[]): Tabs =>
  places.reduce<Tabs>((tabs, place) => visited(tabs, place), noTabs);
const paths = ({ list }: Tabs) => list.map(({ path }) => path);
const active = (tabs: Tabs) => tabs.list.find(({ id }) => id === tabs.active);
const idOf = (tabs: Tabs, path: string) => tabs.list.find((tab) => tab.path === path)?.id ?? '';

describe('tabs of open screens', () => {
  it('has one for each screen that was gone to, with the search it was left with', () => {
    const tabs = going(at('/user'), at('/user', '?id=7'), at('/role'));
    expect(paths(tabs)).toEqual(['/user', '/role']);
    expect(tabs.list[0]?.search).toBe('?id=7');
    expect(active(tabs)?.path).toBe('/role');
    expect(visited(tabs, at('/role'))).toBe(tabs);
  });

  it('keeps two copies of a screen apart, by the tab that is said or on screen', () => {
    const first = going(at('/user', '?id=7'));
    const { tabs, copy } = copied(first, first.active);
    const two = visited(tabs, at('/user', '?id=8', { tab: copy?.id }));
    expect(two.list.map(({ search }) => search)).toEqual(['?id=7', '?id=8']);
    expect(two.list.map((tab) => distinction(two, tab))).toEqual(['7', '8']);
    const back = visited(visited(two, at('/role')), at('/user', '?id=7'));
    expect(active(back)?.id).toBe(first.active);
  });

  it('has a tab of its own for each row whose page is open, and takes one where none is chosen yet', () => {
    const page = '/main/user/user-page';
    const two = going(
      at(page),
      at(page, '?id=7'),
      at('/role'),
      at(page, '?id=8'),
      at(page, '?id=8&tab=slip'),
    );
    expect(two.list.map(({ search }) => search)).toEqual(['?id=7', '', '?id=8&tab=slip']);
    expect(two.list.map((tab) => distinction(two, tab))).toEqual(['7', '', '8']);
    const back = visited(two, at(page, '?id=7&tab=limits'));
    expect(back.list.map(({ search }) => search)).toEqual(['?id=7&tab=limits', '', '?id=8&tab=slip']);
    expect(active(back)?.search).toBe('?id=7&tab=limits');
    // An empty one beside it stays a way to a third.
    const third = visited(visited(back, at(page)), at(page, '?id=9'));
    expect(third.list.map(({ search }) => search)).toEqual([
      '?id=7&tab=limits',
      '',
      '?id=8&tab=slip',
      '?id=9',
    ]);
  });

  it('goes to the next one when one is closed, and forgets those closed on the way', () => {
    const tabs = going(at('/a'), at('/b'), at('/c'), at('/b'));
    const next = neighbour(tabs, [tabs.active]);
    expect(next?.path).toBe('/c');
    const left = visited(tabs, at('/c', '', { tab: next?.id, closing: [tabs.active] }));
    expect(paths(left)).toEqual(['/a', '/c']);
    expect(
      neighbour(
        left,
        left.list.map(({ id }) => id),
      ),
    ).toBeUndefined();
    expect(paths(closed(left, [idOf(left, '/a')]))).toEqual(['/c']);
  });

  it('keeps pinned ones in front, wherever others are moved to', () => {
    const tabs = going(at('/a'), at('/b'), at('/c'));
    const withPin = pinned(tabs, idOf(tabs, '/c'), true);
    expect(paths(withPin)).toEqual(['/c', '/a', '/b']);
    expect(paths(moved(withPin, idOf(tabs, '/b'), 0))).toEqual(['/c', '/b', '/a']);
    expect(paths(pinned(withPin, idOf(tabs, '/c'), false))).toEqual(['/c', '/a', '/b']);
  });

  it('makes room by closing the one seen longest ago, but none that is pinned or holds what was not sent', () => {
    const many = Array.from({ length: MOST_TABS }, (_, index) => at(`/${index}`));
    const full = going(...many);
    const kept = pinned(full, idOf(full, '/0'), true);
    const more = visited(kept, at('/new'), new Set([idOf(kept, '/1')]));
    expect(more.list).toHaveLength(MOST_TABS);
    expect(paths(more)).toEqual(expect.arrayContaining(['/0', '/1', '/new']));
    expect(paths(more)).not.toContain('/2');
  });

  it('always shows what the address says', () => {
    const place = fc.record({ path: fc.constantFrom('/a', '/b', '/c'), search: fc.constantFrom('', '?x=1') });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1 }), (places) => {
        const shown = active(going(...places));
        expect({ path: shown?.path, search: shown?.search }).toEqual(places.at(-1));
      }),
    );
  });
});
