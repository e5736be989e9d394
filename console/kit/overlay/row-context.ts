import { createContext, type ReactNode } from 'react';

/** What tells a row from its neighbours: labels and values. */
export type About = readonly { readonly label: string; readonly value: ReactNode }[];

interface RowInHand {
  readonly row: object;
  /** Worked out only when a dialog is opened. */
  readonly about: () => About;
}

/** The row a button stands in, for the dialog it opens. */
export const RowContext = createContext<RowInHand>({ row: {}, about: () => [] });
