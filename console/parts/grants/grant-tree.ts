import type { Option } from '../../kit/form/index.ts';

/** A node that can be granted. */
export interface GrantNode {
  readonly id: number;
  readonly title: string;
  /** False for a mere container: granting it without anything inside would mean nothing. */
  readonly standsAlone: boolean;
  /** Whether whoever grants holds it: nobody grants what they do not. */
  readonly mayGrant: boolean;
  readonly children: readonly GrantNode[];
}

interface Growing extends GrantNode {
  readonly children: Growing[];
}

const isFolder = (row: object | undefined): boolean =>
  row !== undefined && Reflect.get(row, 'type') === 'FOLDER';
const outranks = (row: object | undefined): boolean =>
  row !== undefined && Reflect.get(row, 'outranks') === true;

/** Choices as the tree they were read from: each stands below the last one that is less deep. */
export function nodesOf(options: readonly Option[]): GrantNode[] {
  const tops: Growing[] = [];
  const above: Growing[] = [];
  for (const { value, label, depth = 0, row } of options) {
    const about = { title: label, standsAlone: !isFolder(row), mayGrant: !outranks(row) };
    const node: Growing = { id: Number(value), ...about, children: [] };
    above.length = Math.min(above.length, depth);
    (above.at(-1)?.children ?? tops).push(node);
    above.push(node);
  }
  return tops;
}

/** How a node is shown: `some` where it is granted or holds something granted, but not all below it that may be. */
export type GrantState = 'none' | 'some' | 'all';

const below = (node: GrantNode): GrantNode[] => [node, ...node.children.flatMap(below)];

/** Whether a click on it would grant anything. */
export const canBeGranted = (node: GrantNode): boolean => below(node).some(({ mayGrant }) => mayGrant);

/** The nodes from the top down to `id`, itself included; empty where it is not in the tree. */
function pathTo(nodes: readonly GrantNode[], id: number): GrantNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node];
    const rest = pathTo(node.children, id);
    if (rest.length > 0) return [node, ...rest];
  }
  return [];
}

/** A node, and of the parents that lead to it those that may be granted with it. */
const withParents = (nodes: readonly GrantNode[], id: number): GrantNode[] =>
  pathTo(nodes, id).filter((node) => node.id === id || node.mayGrant);

/**
 * What a stored grant means in today's tree: exactly the stored nodes that still exist, and the parents that lead to
 * them. Children added since are not among them, however full their parent once was.
 */
export function heldIn(nodes: readonly GrantNode[], stored: readonly number[]): ReadonlySet<number> {
  return new Set(stored.flatMap((id) => withParents(nodes, id).map((node) => node.id)));
}

export function stateOf(node: GrantNode, held: ReadonlySet<number>): GrantState {
  const parts = below(node).filter((part) => part.mayGrant || held.has(part.id));
  const count = parts.filter((part) => held.has(part.id)).length;
  if (count === 0) return 'none';
  return count === parts.length ? 'all' : 'some';
}

/**
 * A click on a node. A full one is taken away with all below it; any other is granted with all below it and the parents
 * that lead to it. What is granted above stays, so that a menu can be held without any of its buttons, but a container
 * left empty goes too.
 */
export function toggled(
  nodes: readonly GrantNode[],
  held: ReadonlySet<number>,
  id: number,
): ReadonlySet<number> {
  const path = pathTo(nodes, id);
  const node = path.at(-1);
  if (!node) return held;
  const next = new Set(held);
  if (stateOf(node, held) !== 'all') {
    for (const one of [...path, ...below(node)]) if (one.mayGrant) next.add(one.id);
    return next;
  }
  for (const one of below(node)) next.delete(one.id);
  for (const above of path.slice(0, -1).reverse()) {
    const isEmpty = below(above).every((part) => part === above || !next.has(part.id));
    if (isEmpty && !above.standsAlone) next.delete(above.id);
  }
  return next;
}
