import { lazy } from 'react';
import type { InputProps } from '../../kit/form/index.ts';

const LazyFace = lazy(() =>
  import('./HandlerFace.tsx').then(({ HandlerFace }) => ({ default: HandlerFace })),
);

/** For the name of a result handler. */
export const HandlerInput = (props: InputProps) => <LazyFace {...props} />;
