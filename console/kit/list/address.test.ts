import { describe, expect, test } from 'vitest';
import type { Field } from '../form/field.ts';
import { lacksEnd, listStateParams, readListState } from './address.ts';

const field = (name: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  ...{ name, label: name, kind, words: undefined, ref: undefined },
  ...{ many: false, required: false, preset: undefined },
  ...more,
});
const fields = [
  field('title', 'text'),
  field('status', 'choice', { words: { OPEN: '开', SHUT: '关' } }),
  field('createDateRange', 'range'),
  field('ids', 'other', { many: true }),
];
const read = (text: string) => readListState(new URLSearchParams(text), fields);

describe('the address of a list', () => {
  test('what is written is read back', () => {
    const state = {
      filters: {
        title: '新闻 & 公告=?',
        status: 'SHUT',
        createDateRange: ['2026-01-01 00:00:00', '2026-01-31 23:59:59'],
        ids: ['1', '2'],
      },
      page: 3,
      size: 100,
    };
    expect(read(listStateParams(state).toString())).toEqual(state);
  });

  test('an untouched list has an empty query', () => {
    expect(listStateParams({ filters: { title: '' }, page: 1, size: 20 }).toString()).toBe('');
    expect(read('')).toEqual({ filters: {}, page: 1, size: 20 });
  });

  test('a range with one end is read as it is, and known for one', () => {
    const range = field('createDateRange', 'range');
    const { filters } = read('createDateRange=2026-01-01+00:00:00');
    expect(filters).toEqual({ createDateRange: ['2026-01-01 00:00:00'] });
    expect(lacksEnd(range, filters)).toBe(true);
    expect(lacksEnd(range, { createDateRange: ['', '2026-01-31 23:59:59'] })).toBe(true);
    expect(lacksEnd(range, { createDateRange: ['2026-01-01 00:00:00', '2026-01-31 23:59:59'] })).toBe(false);
    expect(lacksEnd(range, {})).toBe(false);
    expect(lacksEnd(field('ids', 'other', { many: true }), { ids: ['1'] })).toBe(false);
  });

  test.each([
    'currentPage=0',
    'currentPage=-1',
    'currentPage=1e3',
    'currentPage=abc',
    'pageSize=21',
    'pageSize=9999',
    'status=BROKEN',
    'createDateRange=1&createDateRange=2&createDateRange=3',
    'title=',
    'other=1',
    'status=toString',
  ])('nonsense counts as absent: %s', (text) => {
    expect(read(text)).toEqual({ filters: {}, page: 1, size: 20 });
  });
});
