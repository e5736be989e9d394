import { lazy } from 'react';

/** A `Dialog` that a screen draws itself, fetched when it is first opened. */
export const LazyDialog = lazy(() => import('./Dialog.tsx').then((m) => ({ default: m.Dialog })));
