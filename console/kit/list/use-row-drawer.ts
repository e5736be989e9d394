import { useCallback, useState } from 'react';
import type { Line } from './tree-rows.ts';

/** Which row stands open beside its list. It follows its row when the list is read again, and closes when that has gone. */
export function useRowDrawer<R>(lines: readonly Line<R>[]) {
  const [openKey, setOpenKey] = useState<string>();
  const rows = openKey === undefined ? [] : lines.filter(({ detail }) => !detail);
  const at = rows.findIndex(({ key }) => key === openKey);
  const open = useCallback((place: number) => setOpenKey(lines[place]?.key), [lines]);
  const close = useCallback(() => setOpenKey(undefined), []);
  const step = (by: 1 | -1) => setOpenKey((before) => rows[at + by]?.key ?? before);
  const line = rows[at];
  return { row: line?.row, isBelow: (line?.depth ?? 0) > 0, open, close, step };
}
