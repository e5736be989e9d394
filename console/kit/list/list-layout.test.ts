import { describe, expect, it } from 'vitest';
import { pageUsers, type User } from '#contract/users.ts';
import { columnsOf } from './columns.ts';
import { laidOut, placedColumns, plainLayout } from './list-layout.ts';

const columns = columnsOf<User>(pageUsers, ['id', 'username', 'level', 'phone']);
const keys = columns.map(({ key }) => key);
const one = (key: string, how: object = {}) => ({ key, hidden: false, pinned: false, ...how });
const shown = (layout: Parameters<typeof laidOut>[1], named?: readonly string[]) =>
  laidOut(columns, layout, named).map(({ key }) => key);

describe('a layout', () => {
  it('moves, hides, widens and pins; pinned columns come first', () => {
    const layout = {
      ...plainLayout,
      columns: [
        one('phone', { width: 200 }),
        one('id', { hidden: true }),
        one('level', { pinned: true }),
        one('username'),
      ],
    };
    expect(shown(layout)).toEqual(['level', 'phone', 'username']);
    expect(laidOut(columns, layout, undefined)[1]).toMatchObject({ key: 'phone', width: 200, set: true });
  });

  it('made before a column was added has it behind the one it is declared behind, and forgets one that has gone', () => {
    const before = { ...plainLayout, columns: [one('level'), one('id'), one('gone'), one('phone')] };
    expect(placedColumns(keys, before).map(({ key }) => key)).toEqual(['level', 'id', 'username', 'phone']);
  });

  it('gives way to the columns an address names, as long as the list has one of them', () => {
    expect(shown(plainLayout, ['phone', 'nonsense', 'id'])).toEqual(['phone', 'id']);
    expect(shown(plainLayout, ['nonsense'])).toEqual(keys);
    expect(shown({ ...plainLayout, columns: keys.map((key) => one(key, { hidden: true })) })).toEqual(keys);
  });
});
