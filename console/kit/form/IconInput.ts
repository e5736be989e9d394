import { lazy } from 'react';

/** For the name of an icon. */
export const IconInput = lazy(() => import('./IconFace.tsx').then(({ IconFace }) => ({ default: IconFace })));
