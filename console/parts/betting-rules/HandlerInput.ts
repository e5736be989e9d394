import { lazy } from 'react';

/** For the name of a result handler. */
export const HandlerInput = lazy(() =>
  import('./HandlerFace.tsx').then(({ HandlerFace }) => ({ default: HandlerFace })),
);
