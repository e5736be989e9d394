import type { ListLayout } from '#contract/list-preferences.ts';
import type { Column } from './columns.ts';

type Placed = ListLayout['columns'][number];

/** A list as it is declared: nothing moved, nothing hidden. */
export const plainLayout: ListLayout = { columns: [], density: 'NORMAL', selects: false };

/** All columns of a list as a layout has them: those it does not know stand behind the one they are declared behind. */
export function placedColumns(keys: readonly string[], layout: ListLayout): Placed[] {
  const known = layout.columns.filter(({ key }) => keys.includes(key));
  return keys.reduce<Placed[]>((placed, key, at) => {
    if (placed.some((column) => column.key === key)) return placed;
    const before = keys[at - 1];
    const place = placed.findIndex((column) => column.key === before) + 1;
    return placed.toSpliced(place, 0, { key, hidden: false, pinned: false });
  }, known);
}

/**
 * The columns to be drawn: in the operator's order and widths, pinned ones first, hidden ones not at all. An address that names columns
 * says which and in what order; it never leaves a list without any.
 */
export function laidOut<R>(
  columns: readonly Column<R>[],
  layout: ListLayout,
  named: readonly string[] | undefined,
): readonly Column<R>[] {
  if (layout.columns.length === 0 && !named) return columns;
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const placed = placedColumns([...byKey.keys()], layout);
  const shown = named
    ? named.flatMap((key) => placed.filter((column) => column.key === key))
    : placed.filter(({ hidden }) => !hidden);
  const drawn = shown.flatMap(({ key, width, pinned }) => {
    const column = byKey.get(key);
    return column
      ? [{ ...column, pinned, ...(width === undefined ? {} : { width, least: width, set: true }) }]
      : [];
  });
  const all = [...drawn.filter(({ pinned }) => pinned), ...drawn.filter(({ pinned }) => !pinned)];
  return all.length > 0 ? all : columns;
}
