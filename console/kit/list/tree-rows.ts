import { rowsIn } from '../form/options.ts';

/** One line of a list as it stands on screen. */
export interface Line<R> {
  /** Unique among all lines, also where a parent and a child have the same id. */
  readonly key: string;
  readonly row: R;
  readonly depth: number;
  /** Position among all rows of its level, from 1. */
  readonly index: number;
  readonly hasBelow: boolean;
  readonly open: boolean;
  /** The line is the detail shown under a row. */
  readonly detail: boolean;
}

interface Below {
  /** The field that holds the rows below a row, in a tree. */
  readonly tree?: string | undefined;
  /** Whether rows open to a detail. */
  readonly expands?: boolean;
}

const childrenOf = <R extends object>(row: R, tree: string | undefined): R[] =>
  tree === undefined ? [] : rowsIn<R>(Reflect.get(row, tree));

const keyOf = (row: object, index: number, above: string): string =>
  `${above}${'id' in row ? String(row.id) : `#${index}`}`;

/** Flattens what is open: rows, the rows below open ones, and the details of open ones. */
export function linesOf<R extends object>(
  rows: readonly R[],
  isOpen: (key: string) => boolean,
  below: Below,
  depth = 0,
  above = '',
): Line<R>[] {
  const lines: Line<R>[] = [];
  for (const [position, row] of rows.entries()) {
    const key = keyOf(row, position, above);
    const children = childrenOf(row, below.tree);
    const hasBelow = below.expands === true || children.length > 0;
    const open = hasBelow && isOpen(key);
    const line = { key, row, depth, index: position + 1, hasBelow, open, detail: false };
    lines.push(line);
    if (open && below.expands) lines.push({ ...line, key: `${key}:detail`, detail: true });
    else if (open) lines.push(...linesOf(children, isOpen, below, depth + 1, `${key}/`));
  }
  return lines;
}
