import { fetched } from './fetched.tsx';

/** A `Dialog` that a screen draws itself, fetched when it is first opened. */
export const LazyDialog = fetched(() => import('./Dialog.tsx').then((m) => m.Dialog));
