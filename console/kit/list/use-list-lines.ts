import { useMemo } from 'react';
import type { ListState } from './address.ts';
import { linesOf } from './tree-rows.ts';
import { useOpenLines } from './use-open-lines.ts';
import { useRowDrawer } from './use-row-drawer.ts';
import { useSelection } from './use-selection.ts';

interface Lined {
  /** The field that holds the rows below a row. */
  readonly tree: string | undefined;
  readonly expands: boolean;
  /** What is searched for, by the operator and by the page that the list stands on. */
  readonly filters: ListState['filters'];
  readonly searched: object;
}

/** The rows of a list as lines: which of them are open, selected, and shown in full beside it. */
export function useListLines<R extends object>(
  rows: readonly R[],
  { tree, expands, filters, searched }: Lined,
) {
  const isSought = tree !== undefined && Object.keys(filters).length > 0;
  const { isOpen, ...opening } = useOpenLines(isSought ? JSON.stringify(filters) : '');
  const lines = useMemo(() => linesOf<R>(rows, isOpen, { tree, expands }), [rows, isOpen, tree, expands]);
  return { lines, opening, selection: useSelection(lines, searched), drawer: useRowDrawer(lines) };
}
