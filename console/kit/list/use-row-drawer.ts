import { useCallback, useState } from 'react';
import type { Line } from './tree-rows.ts';

/**
 * Which row stands open beside its list. It follows its row when the list is read again, and closes when that has gone. Once closed it is
 * the row that the keyboard opens again.
 */
export function useRowDrawer<R>(lines: readonly Line<R>[]) {
  const [{ key, isOpen }, setDrawer] = useState<{ key?: string | undefined; isOpen: boolean }>({
    isOpen: false,
  });
  const rows = isOpen ? lines.filter(({ detail }) => !detail) : [];
  const at = rows.findIndex((line) => line.key === key);
  const open = useCallback((place: number) => setDrawer({ key: lines[place]?.key, isOpen: true }), [lines]);
  const openLast = useCallback(() => {
    const place = lines.findIndex((line) => line.key === key);
    open(Math.max(0, place));
  }, [lines, key, open]);
  const close = useCallback(() => setDrawer((before) => ({ ...before, isOpen: false })), []);
  const step = (by: 1 | -1) => setDrawer((before) => ({ ...before, key: rows[at + by]?.key ?? before.key }));
  const line = rows[at];
  return { line, row: line?.row, isBelow: (line?.depth ?? 0) > 0, open, openLast, close, step };
}
