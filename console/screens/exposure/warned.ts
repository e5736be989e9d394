import { createContext } from 'react';

/** What the house may lose before somebody is warned; null where nobody is. */
export const WarnAboveContext = createContext<string | null>(null);

export const isWarned = (result: string | null, above: string | null): boolean =>
  result !== null && above !== null && -Number(result) > Number(above);
