import { lazy } from 'react';

/** For text that is `true` or `false`. */
export const SwitchInput = lazy(() =>
  import('./SwitchFace.tsx').then(({ SwitchFace }) => ({ default: SwitchFace })),
);
