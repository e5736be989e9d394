import { describe, expect, test } from 'vitest';
import { canBeGranted, type GrantNode, heldIn, nodesOf, stateOf, toggled } from './grant-tree.ts';

const node = (id: number, children: GrantNode[] = [], standsAlone = true, mayGrant = true): GrantNode => ({
  ...{ id, title: `节点${id}`, standsAlone, mayGrant, children },
});

// 1 folder > 2 menu > 3, 4 buttons; 5 menu without buttons
const button3 = node(3);
const menu2 = node(2, [button3, node(4)]);
const folder = node(1, [menu2, node(5)], false);
const tree = [folder];
const sorted = (held: ReadonlySet<number>) => [...held].sort();
const clicked = (stored: number[], ...clicks: number[]) =>
  sorted(clicks.reduce((held, id) => toggled(tree, held, id), heldIn(tree, stored)));

describe('the tree of grants', () => {
  test('is the one that its choices were read from', () => {
    const choice = (value: number, depth: number, type?: string) => ({
      ...{ value, depth, label: `节点${value}` },
      ...(type ? { row: { type } } : {}),
    });
    const read = [choice(1, 0, 'FOLDER'), choice(2, 1, 'MENU'), choice(3, 2), choice(4, 2), choice(5, 1)];
    expect(nodesOf(read)).toEqual(tree);
    expect(nodesOf([choice(7, 0), choice(8, 0)])).toEqual([node(7), node(8)]);
    const beyond = { ...choice(9, 0), row: { outranks: true } };
    expect(nodesOf([beyond])).toEqual([node(9, [], true, false)]);
  });

  test('what whoever grants does not hold is granted with nothing, and keeps nothing from being whole', () => {
    // 1 folder and button 4 are not theirs.
    const button4 = node(4, [], true, false);
    const menu = node(2, [node(3), button4]);
    const others = node(6, [node(7, [], true, false)], false, false);
    const beyond = [node(1, [menu, node(5)], false, false), others];
    const left = (stored: number[], ...clicks: number[]) =>
      clicks.reduce((held, id) => toggled(beyond, held, id), heldIn(beyond, stored));
    expect(sorted(left([3]))).toEqual([2, 3]);
    expect(sorted(left([], 1))).toEqual([2, 3, 5]);
    expect(stateOf(menu, left([], 2))).toBe('all');
    expect(sorted(left([], 2, 2))).toEqual([]);
    expect([...beyond, button4, menu].map(canBeGranted)).toEqual([true, false, false, true]);
    // What is there already stays, and can be taken away.
    expect(sorted(left([2, 4]))).toEqual([2, 4]);
    expect(sorted(left([2, 4], 4))).toEqual([2]);
  });

  test('a stored grant never includes a child added later', () => {
    const grown = [node(1, [node(2, [node(3), node(4), node(9)]), node(5)], false)];
    const held = heldIn(grown, [1, 2, 3, 4, 5]);
    expect(sorted(held)).toEqual([1, 2, 3, 4, 5]);
    expect(grown.map((one) => stateOf(one, held))).toEqual(['some']);
  });

  test('a menu that got its first button later is still held, and shown as held in part', () => {
    const grown = node(5, [node(9)]);
    const held = heldIn([node(1, [grown], false)], [1, 5]);
    expect(sorted(held)).toEqual([1, 5]);
    expect(stateOf(grown, held)).toBe('some');
  });

  test('parents of what is stored always show, also where they were not stored', () => {
    expect(sorted(heldIn(tree, [3]))).toEqual([1, 2, 3]);
    expect(stateOf(folder, heldIn(tree, [3]))).toBe('some');
  });

  test('what is gone from the tree is gone from the grant', () => {
    expect(sorted(heldIn(tree, [5, 77]))).toEqual([1, 5]);
  });

  test('granting a node grants all below it and the way to it', () => {
    expect(clicked([], 2)).toEqual([1, 2, 3, 4]);
    expect(clicked([], 1)).toEqual([1, 2, 3, 4, 5]);
    expect(clicked([], 4)).toEqual([1, 2, 4]);
  });

  test('a click on a part-held node fills it, a second one empties it', () => {
    expect(clicked([3], 2)).toEqual([1, 2, 3, 4]);
    expect(clicked([3], 2, 2)).toEqual([]);
  });

  test('a menu can be held without its buttons; an emptied folder is not kept', () => {
    expect(clicked([], 2, 3, 4)).toEqual([1, 2]);
    expect(clicked([5], 5)).toEqual([]);
  });

  test('states: none, some, all', () => {
    const held = heldIn(tree, [2, 3]);
    expect([folder, menu2, button3, node(5)].map((one) => stateOf(one, held))).toEqual([
      'some',
      'some',
      'all',
      'none',
    ]);
  });
});
