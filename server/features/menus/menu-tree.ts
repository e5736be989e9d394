import type { MenuRow } from './menu-store.ts';

type Node<R> = R & { childrens: Node<R>[] };

/** Rows to a tree; a row whose parent is not among them stands at the top. Order is kept. */
export function treeOf<R extends MenuRow>(rows: readonly R[]): Node<R>[] {
  const nodes = new Map(rows.map((row): [number, Node<R>] => [row.id, { ...row, childrens: [] }]));
  const top: Node<R>[] = [];
  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
    (parent?.childrens ?? top).push(node);
  }
  return top;
}

/** Rows that are wanted, and the rows above them. */
export function withAncestors(rows: readonly MenuRow[], isWanted: (row: MenuRow) => boolean): MenuRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const kept = new Set<number>();
  for (const row of rows.filter(isWanted)) {
    let current: MenuRow | undefined = row;
    while (current && !kept.has(current.id)) {
      kept.add(current.id);
      current = current.parentId === null ? undefined : byId.get(current.parentId);
    }
  }
  return rows.filter((row) => kept.has(row.id));
}

/**
 * What an operator may see: the menus held, and the folders above them so that each can be reached. A menu above a
 * held button does not come along: it would open a screen that was not granted.
 */
export function visibleMenus(rows: readonly MenuRow[], isHeld: (row: MenuRow) => boolean): MenuRow[] {
  return withAncestors(rows, isHeld).filter((row) => isHeld(row) || row.type === 'FOLDER');
}
