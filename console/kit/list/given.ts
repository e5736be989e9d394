import { createContext } from 'react';
import type { NounName } from '#contract/ref.ts';
import type { Field } from '../form/field.ts';

/** The row whose page a list stands on: it is searched for what belongs to that row, and need not say so. */
export interface Given {
  readonly noun?: NounName;
  readonly search: Readonly<Record<string, string>>;
}

export const GivenContext = createContext<Given>({ search: {} });

/** Whether a column would only say the row on whose page the list stands, or a search field ask for it. */
export function isGiven(field: Field | null, { noun, search }: Given): boolean {
  if (noun === undefined || field === null) return false;
  const own = field.name.slice(field.name.lastIndexOf('.') + 1);
  return (field.ref?.noun === noun && own in search) || field.names?.noun === noun;
}
