import { createContext, type ReactNode } from 'react';
import type { Option } from '../form/options.ts';
import { cellContent } from './Cell.tsx';
import type { Column } from './columns.ts';

/** What tells a row from its neighbours: labels and values. */
export type About = readonly { readonly label: string; readonly value: ReactNode }[];

const MOST = 3;

interface RowInHand {
  readonly row: object;
  /** Worked out only when a dialog is opened. */
  readonly about: () => About;
}

/** The row a button stands in, for the dialog it opens. */
export const RowContext = createContext<RowInHand>({ row: {}, about: () => [] });

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
