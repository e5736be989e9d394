import { expect, it } from 'vitest';
import { changedLines } from './changed-lines.ts';

const labels = { name: { title: '名称' }, active: { title: '启用', choices: { true: '是', false: '否' } } };

it('sets each field’s value before and after side by side, in the contract’s words', () => {
  const change = {
    input: { id: 1, name: '乙', active: true },
    before: { id: 1, name: '甲', active: true },
    after: { id: 1, name: '乙', active: true },
  };
  expect(changedLines(change, labels)).toEqual([
    { label: 'id', input: '1', before: '1', after: '1', changed: false },
    { label: '名称（name）', input: '乙', before: '甲', after: '乙', changed: true },
    { label: '启用（active）', input: '是', before: '是', after: '是', changed: false },
  ]);
});

it('shows lists as they are, and marks nothing where there is nothing to compare', () => {
  expect(changedLines({ input: { id: 2 }, before: [1], after: [1, 2] }, {})).toEqual([
    { label: 'id', input: '2', before: '—', after: '—', changed: false },
    { label: '内容', input: '—', before: '[1]', after: '[1,2]', changed: true },
  ]);
  expect(changedLines({ input: { id: 2 }, before: { name: 'x' } }, {}).some((line) => line.changed)).toBe(
    false,
  );
  expect(changedLines({ input: null }, {})).toEqual([]);
});
