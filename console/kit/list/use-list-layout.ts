import { useCallback, useMemo } from 'react';
import type { ListLayout } from '#contract/list-preferences.ts';
import type { Column } from './columns.ts';
import { laidOut, placedColumns } from './list-layout.ts';
import { usePreferences } from './use-preferences.ts';

interface LaidOut<R> {
  readonly layout: ListLayout;
  /** The columns to be drawn. */
  readonly shown: readonly Column<R>[];
  /** Keeps another width of a column. */
  readonly onWidth: ((key: string, width: number) => void) | undefined;
}

/** A list's columns as its operator has them, or as the address names them. */
export function useListLayout<R>(
  columns: readonly Column<R>[],
  named: readonly string[] | undefined,
): LaidOut<R> {
  const { screen, layout, known, keep } = usePreferences();
  const shown = useMemo(() => laidOut(columns, layout, named), [columns, layout, named]);
  const onWidth = useCallback(
    (key: string, width: number) => {
      const keys = columns.map((column) => column.key);
      keep((before) => ({
        ...before,
        columns: placedColumns(keys, before).map((one) => (one.key === key ? { ...one, width } : one)),
      }));
    },
    [columns, keep],
  );
  return { layout, shown, onWidth: screen && known ? onWidth : undefined };
}
