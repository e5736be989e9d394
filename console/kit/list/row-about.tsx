import type { Option } from '../form/options.ts';
import type { About } from '../overlay/row-context.ts';
import { cellContent } from './Cell.tsx';
import type { Column } from './columns.ts';

const MOST = 3;

/** The columns that tell rows apart where a screen names none: the first few that show a plain value. */
export const tellingColumns = <R extends object>(columns: readonly Column<R>[]): readonly Column<R>[] =>
  columns
    .filter(({ field, render }) => field !== null && field.kind !== 'dateTime' && !render)
    // The bare number of another row tells nothing.
    .filter(({ field, options }) => !field?.ref || options !== undefined)
    .slice(0, MOST);

export function aboutOf<R extends object>(
  columns: readonly Column<R>[],
  row: R,
  options: Readonly<Record<string, readonly Option[] | undefined>>,
): About {
  const parts = columns.map((column) => ({
    label: column.label,
    value: cellContent(column, row, options[column.key]),
  }));
  return parts.filter(({ value }) => value !== null);
}
