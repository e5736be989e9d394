import { createContext, type ReactNode, use, useEffect } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { useMay } from '../call/use-menus.ts';
import { RowContext } from '../overlay/row-context.ts';
import type { FieldSpec } from './field-spec.ts';

/** What one row's button would do. */
export interface RowAct {
  readonly endpoint: AnyEndpoint;
  /** What the button says, by which the acts of several rows are the same. */
  readonly word: string;
  readonly input: unknown;
  /** What is asked for first, once for all rows. */
  readonly fields: readonly FieldSpec[];
  /** What is drawn below that of what it would do to the rows. */
  readonly outlook?: FormOutlook | undefined;
  readonly danger: boolean;
}

/** Draws what a form would do to its row, or to all selected ones, by what is entered so far. */
export type FormOutlook = (rows: readonly object[], values: Readonly<Record<string, unknown>>) => ReactNode;

/** Takes note of what the buttons of selected rows would do, in place of drawing them. */
export const BulkContext = createContext<((row: object, act: RowAct) => void) | null>(null);

/**
 * Lets a row's button stand for all selected rows: where such buttons are gathered, it tells what it would do. True there: then it is
 * not to be drawn.
 */
export function useBulk(act: RowAct, offered: boolean): boolean {
  const gather = use(BulkContext);
  const { row } = use(RowContext);
  const allowed = useMay(act.endpoint);
  useEffect(() => {
    if (gather && offered && allowed) gather(row, act);
  });
  return gather !== null;
}
