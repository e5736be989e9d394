import { describe, expect, test } from 'vitest';
import { linesOf } from './tree-rows.ts';

interface Node {
  id: number;
  childrens: Node[];
}
const tree: Node[] = [
  {
    id: 1,
    childrens: [
      { id: 1, childrens: [] },
      { id: 2, childrens: [{ id: 3, childrens: [] }] },
    ],
  },
  { id: 4, childrens: [] },
];
const keys = (open: readonly string[]) =>
  linesOf(tree, (key) => open.includes(key), { tree: 'childrens' }).map((line) => line.key);

describe('the lines of a list', () => {
  test('a closed tree shows its top level only', () => {
    expect(keys([])).toEqual(['1', '4']);
  });

  test('open rows show the rows below them, and keys stay unique where ids repeat', () => {
    expect(keys(['1'])).toEqual(['1', '1/1', '1/2', '4']);
    expect(keys(['1', '1/2'])).toEqual(['1', '1/1', '1/2', '1/2/3', '4']);
  });

  test('a row opened under a closed one stays hidden', () => {
    expect(keys(['1/2'])).toEqual(['1', '4']);
  });

  test('details stand right under their row', () => {
    const lines = linesOf([{ id: 7 }, { id: 8 }], (key) => key === '7', { expands: true });
    expect(lines.map((line) => [line.key, line.detail])).toEqual([
      ['7', false],
      ['7:detail', true],
      ['8', false],
    ]);
  });

  test('rows without an id are told apart by their place', () => {
    expect(linesOf([{ phase: 'a' }, { phase: 'a' }], () => false, {}).map((line) => line.key)).toEqual([
      '#0',
      '#1',
    ]);
  });
});
